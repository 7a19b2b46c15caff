internal import Synchronization
internal import WharfCore
internal import WharfPlayback
internal import WharfPrimitives

/// The pairing of controllers with a screen, by a code that the screen shows.
///
/// A receiver with a pairing answers requests about sessions only if a key authenticates them. A
/// controller gets its key once, for a code that the user reads from the screen.
///
/// ```swift
/// let pairing = ScreenPairing()
/// let receiver = ScreenReceiver(player: engine, pairing: pairing)
/// let server = try ScreenServer(receiver, host: "192.168.1.20", port: 8080)
/// label.text = pairing.showCode().description      // "4071 9926 5518 0342"
/// ```
///
/// - A code is valid for `lifetime`, for `attempts` attempts, and for one key.
/// - After the last attempt the code is void until the user asks for another.
/// - Keys live in memory. After a restart of the receiver, controllers have to be paired again.
///
/// The article "Second screens" lists the attacks that this prevents, and those that it does not.
public final class ScreenPairing: Sendable {
    private let lifetime: Duration
    private let attempts: Int
    private let keyLifetime: Duration
    private let clock: any Clock<Duration>
    private let random: SharedRandom
    private let state = Mutex(PairingState())

    /// Creates a pairing without a code.
    ///
    /// - Parameters:
    ///   - lifetime: the validity of a code.
    ///   - attempts: the number of proofs that may be sent for a code, at least one.
    ///   - keyLifetime: the validity of a key. An attacker with a recorded pairing has this time to
    ///     find its code.
    ///   - clock: measures both.
    ///   - random: the generator of codes, nonces and keys. It has to be cryptographically secure.
    public init(
        lifetime: Duration = .seconds(120), attempts: Int = 5, keyLifetime: Duration = .seconds(12 * 3600),
        clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.lifetime, self.attempts, self.keyLifetime) = (lifetime, max(1, attempts), keyLifetime)
        (self.clock, self.random) = (clock, SharedRandom(random))
    }

    /// Generates a code to show, which replaces the code before.
    ///
    /// Call it only when the user at the screen asks for it: each code gives an attacker new
    /// attempts.
    public func showCode() -> PairingCode {
        let code = PairingCode(number: random.draw { UInt64.random(in: 0..<PairingCode.bound, using: &$0) })
        let deadline = Deadline(after: lifetime, on: clock)
        state.withLock { $0.show(code, attempts: attempts, until: deadline) }
        return code
    }

    /// The valid code; nil before one is shown, and after it is used, expired or void.
    public var code: PairingCode? { state.withLock { $0.code } }

    /// Invalidates the code.
    public func hideCode() { state.withLock { $0.hide() } }

    /// The number of paired controllers with a valid key.
    public var controllerCount: Int { state.withLock { $0.keyCount } }

    /// Ends all pairings. Requests with their keys are refused from now on.
    public func forgetControllers() { state.withLock { $0.forgetKeys() } }

    // MARK: Requests

    /// Gives a key to a controller that proves that it knows the code.
    ///
    /// - Throws: `malformed` or `refused`.
    func pair(_ request: PairingMessage.Request) throws(PlaybackError) -> PairingMessage.Answer {
        guard PairingMessage.isNonce(request.nonce), let proof = Hexadecimal.bytes(Array(request.proof.utf8)) else {
            throw PlaybackError(
                .malformed, "the pairing request needs a nonce of 32 hexadecimal digits and a proof of 64")
        }
        // The attempt is used up first. Concurrent guesses could otherwise all be checked against
        // one remaining attempt.
        guard let code = state.withLock({ $0.attempt() }) else { throw .noCode }
        // Outside of the lock: the derivation takes a while, and would delay the requests of paired
        // controllers.
        let secrets = PairingSecrets(code: code, nonce: request.nonce)
        guard secrets.accepts(proof) else { throw .wrongCode(state.withLock { $0.attempts(for: code) }) }
        let (id, nonce) = (random.id(), random.id())
        let key = PairingState.Key(
            id: id, hmac: HMAC(key: secrets.key(id, nonce: nonce)), deadline: Deadline(after: keyLifetime, on: clock))
        // Two controllers may have proved the same code at the same time. The first one gets the
        // key.
        guard state.withLock({ $0.accept(key, by: code) }) else { throw .noCode }
        let seconds = Int(keyLifetime.components.seconds)
        let answer = secrets.proofOfScreen(key: id, nonce: nonce, seconds: seconds)
        return PairingMessage.Answer(key: id, nonce: nonce, seconds: seconds, proof: Hexadecimal.text(answer))
    }

    /// Returns whether a key with this id is valid. Checked before the body is read.
    func knows(_ signature: RequestSignature) -> Bool { state.withLock { $0.hmac(of: signature.key) } != nil }

    /// Verifies the code of a request, and records its counter.
    ///
    /// - Throws: `refused` for a wrong code and for a replayed request.
    func verify(_ signature: RequestSignature, for message: [UInt8]) throws(PlaybackError) {
        guard let hmac = state.withLock({ $0.hmac(of: signature.key) }) else { throw .unpaired }
        guard hmac.verifies(signature.code, for: message) else {
            throw PlaybackError(
                .refused, "the request is not authentic: its authentication code does not match its content")
        }
        // Recorded after the verification, so that a forger cannot use up counters.
        guard state.withLock({ $0.take(signature.counter, of: signature.key) }) else {
            throw PlaybackError(.refused, "the request was replayed: counter \(signature.counter) was used before")
        }
    }
}

extension PlaybackError {
    static let noCode = PlaybackError(.refused, "no pairing code is valid; show one on the screen, and enter it")
    static let unpaired = PlaybackError(
        .refused, "the controller is not paired with this screen, or its key has been removed; pair it")

    fileprivate static func wrongCode(_ attempts: Int) -> PlaybackError {
        let rest =
            attempts > 0 ? "\(attempts) attempts are left" : "the code is void now; show another one on the screen"
        return PlaybackError(.refused, "the pairing code is wrong; \(rest)")
    }
}
