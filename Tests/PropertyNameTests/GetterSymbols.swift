import TestSupport
import Testing

#if DEBUG || !os(Linux)
  let hasGetterSymbols = !isThreadSanitized
#else
  let hasGetterSymbols = false
#endif

let hasNoGetterSymbols: Comment = """
  Release builds for Linux compile a module on several threads, and then the getters of key paths \
  have no symbols. Beside the code of the thread sanitizer, some have none either.
  """
