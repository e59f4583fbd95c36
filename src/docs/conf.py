"""Sphinx's settings. The pages that it reads are those that make_pages.py has put into the build folder."""

project = "orderlab"
copyright = "the orderlab developers, Apache-2.0"
extensions = ["myst_parser"]
myst_heading_anchors = 4
exclude_patterns = ["figures"]
nitpicky = True

html_theme = "furo"
html_title = "orderlab"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["orderlab.css"]
html_theme_options = {"navigation_with_keys": True}
highlight_language = "none"
pygments_style = "default"
pygments_dark_style = "monokai"
