internal import Synchronization

/// A generator that several tasks draw from.
final class ScreenRandom: Sendable {
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

    func draw<Result: Sendable>(_ body: (inout any RandomNumberGenerator & Sendable) -> Result) -> Result {
        generator.withLock { body(&$0) }
    }

    /// 128 bits, which nobody guesses where the generator is a secure one, as hexadecimal digits.
    func id() -> String {
        let (high, low) = draw { ($0.next(), $0.next()) }
        return [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
