# CHANGELOG.md as a changelog of Debian.
# usage: awk -v name=PACKAGE -v maintainer='NAME <ADDRESS>' -v date=RFC-2822-DATE -f changelog.awk CHANGELOG.md
function print_item(    words, count, i, line) {
  count = split(item, words, " ")
  line = "  *"
  for (i = 1; i <= count; i++) {
    if (length(line) + 1 + length(words[i]) > 78) {
      print line
      line = "   "
    }
    line = line " " words[i]
  }
  if (count > 0) print line
  item = ""
}
function print_end() {
  print_item()
  if (version != "") printf "\n -- %s  %s\n", maintainer, date
}
/^## / {
  print_end()
  if (version != "") print ""
  version = $2
  printf "%s (%s) %s; urgency=medium\n\n", name, version, /unreleased/ ? "UNRELEASED" : "unstable"
  next
}
version == "" { next }
/^- / { print_item(); item = substr($0, 3); next }
{ item = item " " $0 }
END { print_end() }
