import Testing

#if DEBUG || !os(Linux)
  let hasGetterSymbols = true
#else
  let hasGetterSymbols = false
#endif

let hasNoGetterSymbols: Comment = """
  Release builds for Linux compile a module on several threads, and then the getters of key paths \
  have no symbols.
  """
