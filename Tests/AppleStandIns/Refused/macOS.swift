// What must not compile for macOS, with what the compiler says.

import Foundation

// Names of Linux, which Foundation shows there.
// expected-error@+1 {{cannot find 'CLOCK_BOOTTIME' in scope}}
let clock = CLOCK_BOOTTIME
// expected-error@+1 {{value of type 'Int32' has no member 'rawValue'}}
let stream = SOCK_STREAM.rawValue
// expected-error@+1 {{cannot find '_NSGetExecutablePath' in scope}}
let path = _NSGetExecutablePath
// expected-error@+1 {{cannot find '_NSGetEnviron' in scope}}
let environment = _NSGetEnviron()
