"""Summation trees as `orderlab tree --json` gives them: their places in a picture, a small picture, a formula."""

STEP, HEIGHT = 17, 104  # distance of leaves, of the root from the leaves
TOP, LEFT, BELOW = 8, 10, 18


def contracted(document):
    """The nodes by id, without those that have one child and no name: they start a sum from zero, which changes
    nothing in the shape."""
    nodes = {node["id"]: node for node in document["nodes"]}

    def beyond(node):
        while len(nodes[node]["children"]) == 1:
            node = nodes[node]["children"][0]
        return node

    kept = sorted({beyond(node) for node in nodes})
    assert kept[-1] == beyond(max(nodes))
    return {node: {**nodes[node], "children": [beyond(child) for child in nodes[node]["children"]]} for node in kept}


def leaves_of(nodes):
    """The leaves from left to right."""
    leaves, stack = [], [max(nodes)]
    while stack:
        node = nodes[stack.pop()]
        stack += reversed(node["children"])
        if not node["children"]:
            leaves.append(node["id"])
    return leaves


def layout(nodes, left, step):
    """(x by node, height above the leaves by node)"""
    heights, places = {}, {leaf: left + step * place for place, leaf in enumerate(leaves_of(nodes))}
    for node in nodes.values():  # children come before their parents
        children = node["children"]
        heights[node["id"]] = 1 + max(map(heights.__getitem__, children)) if children else 0
        if children:
            places[node["id"]] = sum(map(places.__getitem__, children)) / len(children)
    return places, heights


def picture(document, label):
    """A small picture whose colours are those of the page."""
    nodes = contracted(document)
    places, heights = layout(nodes, LEFT, STEP)
    step = HEIGHT / max(1, heights[max(nodes)])

    def point(node):
        return f"{places[node]:.4g} {TOP + HEIGHT - step * heights[node]:.4g}"

    width = 2 * LEFT + STEP * (len(leaves_of(nodes)) - 1)
    edges = "".join(f"M{point(child)}L{point(node['id'])}" for node in nodes.values() for child in node["children"])
    lines = [f'<svg class="tree" viewBox="0 0 {width} {TOP + HEIGHT + BELOW}" role="img" aria-label="{label}">',
             f'<path d="{edges}"/>']
    for node in nodes.values():
        x, y = point(node["id"]).split()
        if not node["children"]:
            lines.append(f'<text x="{x}" y="{TOP + HEIGHT + 14}">{node["id"]}</text>')
        else:
            kind = {"add": "add", "add_ftz": "atomic"}.get(node["operation"], "other")
            lines.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="3.2"/>')
    return "".join(lines) + "</svg>"


def bare(text):
    """A sum without the brackets around it."""
    return text[1:-1] if text.startswith("(") else text


def formula(document):
    """The tree as one expression with brackets."""
    nodes = contracted(document)
    texts = {}
    for node in nodes.values():
        children = [texts[child] for child in node["children"]]
        if not children:
            texts[node["id"]] = f"x{node['id']}"
        elif node["operation"].startswith("add"):
            texts[node["id"]] = f"({' + '.join(children)})"
        else:
            texts[node["id"]] = f"{node['operation']}({', '.join(map(bare, children))})"
    return bare(texts[max(nodes)])
