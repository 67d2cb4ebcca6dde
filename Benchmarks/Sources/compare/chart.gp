
# The fixed part. Above stand the values of this plot.
set terminal svg enhanced size 1120,720 font "Helvetica,13" background rgb "white"
set output file
set title name . ": cost " . unit font ",16"
set xlabel sizes
set ylabel "cost " . unit
set logscale xy
set yrange [low : high]
set ytics ("0.1 ns" 0.1, "1 ns" 1, "10 ns" 10, "100 ns" 100, "1 µs" 1e3, "10 µs" 1e4, \
  "100 µs" 1e5, "1 ms" 1e6, "10 ms" 1e7, "100 ms" 1e8, "1 s" 1e9)
if (high / low < 1000) {
  set ytics add ("2 ns" 2, "5 ns" 5, "20 ns" 20, "50 ns" 50, "200 ns" 200, "500 ns" 500, \
    "2 µs" 2e3, "5 µs" 5e3, "20 µs" 2e4, "50 µs" 5e4, "200 µs" 2e5, "500 µs" 5e5)
}
set grid xtics ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set rmargin 40
unset key
plot for [line = 1 : words(colours)] $costs index line - 1 using 1:2 with linespoints \
  lc rgb word(colours, line) lw (word(widths, line) + 0) pt line ps 0.7
