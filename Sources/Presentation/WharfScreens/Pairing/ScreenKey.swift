internal import Synchronization
public import WharfCore
public import WharfPlayback
internal import WharfPrimitives

/// The key of a controller that is paired with a screen.
///
/// ```swift
/// let key = try await ScreenKey.pair(
///     by: PairingCode("4071 9926 5518 0342"), at: "http://192.168.1.20:8080",
///     transport: transport)
/// let lounge = try NetworkScreen(
///     id: "lounge", name: "Lounge", at: "http://192.168.1.20:8080",
///     transport: KeyedTransport(transport, key: key))
/// ```
///
/// A key counts the requests that it authenticates. So it lives in memory, and is shared by
/// reference.
public final class ScreenKey: Sendable, CustomStringConvertible {
    /// The public id of the key.
    public let id: String
    /// The time for which the screen accepts the key, from the pairing on.
    public let lifetime: Duration
    private let hmac: HMAC
    private let counter = Atomic<UInt64>(0)

    init(id: String, secret: [UInt8], lifetime: Duration) {
        (self.id, self.lifetime, hmac) = (id, lifetime, HMAC(key: secret))
    }

    /// The id without the secret, for logs.
    public var description: String { "ScreenKey \(id)" }

    /// Pairs with a screen, and returns the key.
    ///
    /// - Parameters:
    ///   - code: the code that the screen shows.
    ///   - url: the URL of the receiver, as for `NetworkScreen`.
    ///   - transport: a transport without retries. Each request that arrives uses up an attempt.
    ///   - timeout: the limit for the one request.
    ///   - random: the generator of the nonce. It has to be cryptographically secure.
    /// - Throws: `refused` if the code is wrong, expired or used, or if the screen cannot prove
    ///   that it knows the code. Other failures throw `disconnected`, `timedOut`, `malformed` or
    ///   `cancelled`.
    public static func pair(
        by code: PairingCode, at url: String, transport: any Transport, timeout: Duration = .seconds(5),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws(PlaybackError) -> ScreenKey {
        let address = try ScreenAddress(url)
        let nonce = SharedRandom(random).id()
        let secrets = PairingSecrets(code: code, nonce: nonce)
        let wish = PairingMessage.Request(nonce: nonce, proof: Hexadecimal.text(secrets.proofOfController))
        let answer = try await ScreenNetwork.exchange(
            wish, PairingMessage.Answer.self, address, "/pairing", timeout: timeout, by: transport, for: "the pairing")
        // Before the key is used: a device that only relays or guesses must not get authenticated
        // commands.
        guard let proof = Hexadecimal.bytes(Array(answer.proof.utf8)),
            secrets.accepts(proof, key: answer.key, nonce: answer.nonce, seconds: answer.seconds)
        else {
            throw PlaybackError(
                .refused,
                "the screen did not prove that it knows the code, so another device may have answered; check that the "
                    + "network is yours, and pair again with a new code")
        }
        return ScreenKey(
            id: answer.key, secret: secrets.key(answer.key, nonce: answer.nonce), lifetime: .seconds(answer.seconds))
    }

    /// Returns the `Authorization` value for one request, which must be sent only once.
    func authorization(_ method: HTTPRequest.Method, _ target: String, body: [UInt8]) -> String {
        // Unique is enough: the window of the screen takes counters in any order.
        let counter = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let message = RequestSignature.message(method, target, counter: counter, body: body)
        return RequestSignature(key: id, counter: counter, code: hmac.code(for: message)).field
    }
}
