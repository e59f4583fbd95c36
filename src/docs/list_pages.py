"""Pages of `orderlab list NAME` for what has no gallery."""

from texts import code, entries, plain, sentence, toctree

LISTS = ["stages", "distributions", "metrics", "kernels", "formats", "gpus", "lookbacks", "units"]
TITLES = {"gpus": "GPUs", "lookbacks": "Look-back models of scans", "metrics": "Metrics and their units",
          "units": "Fused units"}


def put_lists(site, program):
    for name in LISTS:
        listed = entries(program, name)
        page = [f"# {TITLES.get(name, name.capitalize())}",
                f"These are what `orderlab list {name}` prints."]
        for entry in listed:
            name_alone = entry["signature"] == entry["name"]
            page += [f"## {plain(entry['name'])}", sentence(entry.get("summary") or ""),
                     "" if name_alone else code(entry["signature"])]
            facts = []
            for key, value in entry.items():
                if key in ("name", "signature", "summary") or value in (None, "", []):
                    continue
                if isinstance(value, list):
                    value = ", ".join(map(str, value))
                shown = code(value) if key in ("expression", "stands_for", "claim") else plain(str(value))
                facts.append(f"- {key.replace('_', ' ')}: {shown}")
            page.append("\n".join(facts))
        site.write(f"reference/lists/{name}.md", "\n\n".join(part for part in page if part) + "\n")
    site.write("reference/lists/index.md", "# Everything else with a name\n\n" + toctree(LISTS))

