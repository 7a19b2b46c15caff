// A key that declares a live value must provide one.
import WharfDependencies

struct Counting: Sendable {
    let count: @Sendable () -> Int
}

extension Counting: LiveDependencyKey {  // expect-error: does not conform to protocol 'LiveDependencyKey'
    static var unimplemented: Counting {
        Counting(count: { unimplementedEndpoint("Counting.count()", default: 0) })
    }
    #if CORRECTED
    static var live: Counting { Counting(count: { 1 }) }
    #endif
}
