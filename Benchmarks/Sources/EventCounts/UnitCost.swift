/// The cost of one unit, from the totals of a run with `count` of them and of one with twice as
/// many. What the program costs besides is in both, and cancels out.
///
/// Rounded to four places, in which one allocation or byte in a run still shows, so that what is
/// saved reads back as the same number.
package func unitCost(_ total: Int, ofTwice twiceTotal: Int, count: Int) -> Double {
  (Double(twiceTotal - total) / Double(count) * 10_000).rounded() / 10_000
}
