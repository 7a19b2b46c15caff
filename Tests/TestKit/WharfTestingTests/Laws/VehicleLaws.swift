import WharfChecks

// The contract and its laws, as quoted by the article "Laws for your own contracts".

// snippet.contract
/// A vehicle that can be driven.
protocol Vehicle: Sendable {
    /// The last throttle that was set, from 0 to 100. It is 0 at first.
    var throttle: Int { get }

    /// - Parameter throttle: from 0 to 100.
    /// - Throws: ``VehicleError`` if it is out of range, and no other error. The throttle then
    ///   stays unchanged.
    func setThrottle(_ throttle: Int) throws
}

enum VehicleError: Error { case outOfBounds }
// snippet.end

// snippet.suite
enum VehicleLaws {
    typealias Subject = Conformer<any Vehicle>

    static let all: [Law<Subject>] = [input, output, errors]
}
// snippet.end

// snippet.input
extension VehicleLaws {
    static let input = Law<Subject>("a throttle from 0 to 100 is taken", for: .int(in: 0...100)) { subject, throttle in
        let vehicle = try await subject.make()
        try vehicle.setThrottle(throttle)
    }
}
// snippet.end

// snippet.output
extension VehicleLaws {
    static let output = Law<Subject>(
        "the throttle is what was set last, and never outside of 0 to 100", for: .array(of: .int(in: -200...200))
    ) { subject, throttles in
        let vehicle = try await subject.make()
        var expected = 0
        for throttle in throttles {
            do {
                try vehicle.setThrottle(throttle)
                expected = throttle
            } catch {
                // Other laws check whether it may refuse, and by which error. A refused throttle
                // changes nothing.
            }
            try require(vehicle.throttle == expected, "expected \(expected), found \(vehicle.throttle)")
            try require((0...100).contains(vehicle.throttle), "the throttle was \(vehicle.throttle)")
        }
    }
}
// snippet.end

// snippet.errors
extension VehicleLaws {
    static let errors = Law<Subject>("no errors are thrown but VehicleError", for: .int(in: -200...200)) {
        subject, throttle in
        let vehicle = try await subject.make()
        try await require(onlyThrowing: VehicleError.self) { try vehicle.setThrottle(throttle) }
    }
}
// snippet.end
