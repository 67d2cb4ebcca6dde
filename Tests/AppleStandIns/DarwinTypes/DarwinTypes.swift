// `sigaction` is a type and a function, which one Swift module can't declare both.
import Glibc

public typealias sigaction = Glibc.sigaction
