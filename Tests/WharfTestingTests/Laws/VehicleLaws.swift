import WharfChecks

// The contract and its laws, as the article "Laws for your own contracts" quotes them.

// snippet.contract
/// Whatever can be driven.
protocol Vehicle: Sendable {
    /// What was set last, from 0 to 100; at first 0.
    var throttle: Int { get }

    /// - Parameter throttle: from 0 to 100.
    /// - Throws: ``VehicleError`` when it is outside of these, and nothing else. Then the throttle
    ///   stays as it is.
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
                // Whether it may refuse, and by which error, is for the other laws. What is refused
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
