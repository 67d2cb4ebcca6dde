import EventCounts
import Testing

@Suite("What the tools report")
struct CountingToolTests {
  @Test("Callgrind's instructions are read")
  func callgrind() {
    let log = """
      ==16421== Events    : Ir
      ==16421== Collected : 49522112
      ==16421== I   refs:      49,522,112
      """
    #expect(CountingTool.callgrind.totals(in: log) == [[.instructions: 49_522_112]])
  }

  @Test("All blocks, and the bytes that are alive at the end, are read")
  func dhat() {
    let log = """
      ==8012== Total:     198,275 bytes in 1,349 blocks
      ==8012== At t-gmax: 185,896 bytes in 711 blocks
      ==8012== At t-end:  1,381 bytes in 13 blocks
      """
    #expect(CountingTool.dhat.totals(in: log) == [[.allocations: 1_349, .bytes: 1_381]])
  }

  @Test("A log that ends early has no totals", arguments: CountingTool.allCases)
  func noTotals(tool: CountingTool) {
    #expect(tool.totals(in: "==8012== Total:     198,275 bytes in").isEmpty)
  }

  @Test("The libraries of the dynamic linker's list are counted, but not the kernel's page")
  func linker() {
    let list = """
      \tlinux-vdso.so.1 (0x00007ffd2a1f2000)
      \tlibswiftCore.so => /opt/lib/libswiftCore.so (0x00007f0d8c600000)
      \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0d8c400000)
      \t/lib64/ld-linux-x86-64.so.2 (0x00007f0d8cfd4000)
      """
    #expect(CountingTool.linker.totals(in: list) == [[.libraries: 3]])
  }

  @Test("The greatest size in memory is read, in bytes")
  func kernel() {
    let status = """
      VmPeak:\t  262144 kB
      VmHWM:\t   21504 kB
      VmRSS:\t   20480 kB
      """
    #expect(CountingTool.kernel.totals(in: status) == [[.memory: 22_020_096]])
  }
}
