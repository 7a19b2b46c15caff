internal import WharfPrimitives

/// The secrets that both ends derive from a code and the controller's nonce.
///
/// The code itself is never sent. Each end proves by an HMAC that it knows the code.
struct PairingSecrets {
    /// The cost factor of each guess of an attacker with a recorded pairing.
    static let iterations = 1000

    private let hmac: HMAC

    /// - Parameter nonce: the controller's nonce. As the salt it makes precomputed tables useless.
    init(code: PairingCode, nonce: String) {
        let salt = Array("wharf-screen-pairing-1\n\(nonce)".utf8)
        hmac = HMAC(key: HMAC.derive(from: Array(code.digits.utf8), salt: salt, iterations: Self.iterations))
    }

    /// The proof for the screen that the controller knows the code.
    var proofOfController: [UInt8] { hmac.code(for: Array("controller".utf8)) }

    func accepts(_ proof: [UInt8]) -> Bool { hmac.verifies(proof, for: Array("controller".utf8)) }

    /// Returns the proof for the controller that the screen knows the code.
    ///
    /// It also proves that the answer is unchanged.
    func proofOfScreen(key id: String, nonce: String, seconds: Int) -> [UInt8] {
        hmac.code(for: Self.message(id, nonce, seconds))
    }

    func accepts(_ proof: [UInt8], key id: String, nonce: String, seconds: Int) -> Bool {
        hmac.verifies(proof, for: Self.message(id, nonce, seconds))
    }

    /// Returns the key that authenticates later requests.
    ///
    /// - Parameter nonce: the screen's nonce.
    func key(_ id: String, nonce: String) -> [UInt8] { hmac.code(for: Array("key\n\(id)\n\(nonce)".utf8)) }

    private static func message(_ id: String, _ nonce: String, _ seconds: Int) -> [UInt8] {
        Array("screen\n\(id)\n\(nonce)\n\(seconds)".utf8)
    }
}
