import WharfTesting

// snippet.suite
enum VehicleLaws {
    typealias Subject = Conformer<any Vehicle>

    static let all: [Law<Subject>] = [input, output, errors]
}
// snippet.end

extension VehicleLaws {
    // snippet.input
    /// A conformer does not demand more of its callers.
    static let input = Law<Subject>("a throttle from 0 to 100 is taken", for: .int(in: 0...100)) { subject, throttle in
        let vehicle = try await subject.make()
        try vehicle.setThrottle(throttle)
    }
    // snippet.end

    // snippet.output
    /// A conformer does not promise less to them.
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
                // What is not taken changes nothing.
            }
            try require(vehicle.throttle == expected, "expected \(expected), found \(vehicle.throttle)")
            try require((0...100).contains(vehicle.throttle), "the throttle was \(vehicle.throttle)")
        }
    }
    // snippet.end

    // snippet.errors
    /// A conformer throws no errors that the contract does not know.
    static let errors = Law<Subject>("no errors are thrown but VehicleError", for: .int(in: -200...200)) {
        subject, throttle in
        let vehicle = try await subject.make()
        try await require(onlyThrowing: VehicleError.self) { try vehicle.setThrottle(throttle) }
    }
    // snippet.end
}
