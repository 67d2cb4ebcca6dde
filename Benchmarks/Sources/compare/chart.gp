
# The fixed part. Above stand the values of this plot.
set terminal svg enhanced size 880,600 font "Helvetica,13" background rgb paper
set output file
set title name . ": cost " . unit font ",16" textcolor rgb ink
set xlabel sizes textcolor rgb ink
set ylabel "cost " . unit textcolor rgb ink
set logscale xy
set yrange [low : high]
set ytics ("0.1 ns" 0.1, "1 ns" 1, "10 ns" 10, "100 ns" 100, "1 µs" 1e3, "10 µs" 1e4, \
  "100 µs" 1e5, "1 ms" 1e6, "10 ms" 1e7, "100 ms" 1e8, "1 s" 1e9)
if (high / low < 1000) {
  set ytics add ("2 ns" 2, "5 ns" 5, "20 ns" 20, "50 ns" 50, "200 ns" 200, "500 ns" 500, \
    "2 µs" 2e3, "5 µs" 5e3, "20 µs" 2e4, "50 µs" 5e4, "200 µs" 2e5, "500 µs" 5e5)
}
set tics textcolor rgb ink
set grid xtics ytics lc rgb faint
set border 3 lc rgb ink
set tics nomirror
set rmargin 38
unset key
plot for [line = 1 : words(colours)] $costs index line - 1 using 1:2 with linespoints \
  lc rgb word(colours, line) lw (word(widths, line) + 0) pt line ps 0.7
