# Writes the sum of the numbers of each line.
while {[gets stdin line] >= 0} {
  puts [tcl::mathop::+ {*}[lmap x $line {expr {double($x)}}]]
  flush stdout
}
