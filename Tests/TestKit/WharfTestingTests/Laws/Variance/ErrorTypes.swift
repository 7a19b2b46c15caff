// No new errors: if the contract declares its error's type, the compiler enforces this rule too.

// snippet.both
enum VehicleError: Error { case outOfBounds }
enum LorryError: Error { case outOfBounds }

protocol Vehicle {
    func setThrottle(_ throttle: Int) throws(VehicleError)
}

#if CORRECTED
// The contract's error, or none at all.
struct Lorry: Vehicle {
    func setThrottle(_ throttle: Int) throws(VehicleError) {
        guard (0...100).contains(throttle) else { throw .outOfBounds }
    }
}

struct Bicycle: Vehicle {
    func setThrottle(_ throttle: Int) {}
}
#else
struct Lorry: Vehicle {  // expect-error: type 'Lorry' does not conform to protocol 'Vehicle'
    func setThrottle(_ throttle: Int) throws(LorryError) {
        guard (0...60).contains(throttle) else { throw .outOfBounds }
    }
}
#endif
// snippet.end
