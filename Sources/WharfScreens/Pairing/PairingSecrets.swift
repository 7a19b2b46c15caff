internal import WharfPrimitives

/// The secrets that both ends compute from a pairing code and the controller's nonce.
///
/// The code itself never goes over the network. Each end proves by an HMAC that it knows it.
struct PairingSecrets {
    /// Multiplies what each guess costs an attacker who recorded a pairing.
    static let iterations = 1000

    private let hmac: HMAC

    /// - Parameter nonce: of the controller. As the salt it makes tables of codes useless.
    init(code: PairingCode, nonce: String) {
        let salt = Array("wharf-screen-pairing-1\n\(nonce)".utf8)
        hmac = HMAC(key: HMAC.derive(from: Array(code.digits.utf8), salt: salt, iterations: Self.iterations))
    }

    /// Shows the screen that the controller knows the code.
    var proofOfController: [UInt8] { hmac.code(for: Array("controller".utf8)) }

    func accepts(_ proof: [UInt8]) -> Bool { hmac.verifies(proof, for: Array("controller".utf8)) }

    /// Shows the controller that the screen knows the code, and that nobody changed the answer.
    func proofOfScreen(key id: String, nonce: String, seconds: Int) -> [UInt8] {
        hmac.code(for: Self.message(id, nonce, seconds))
    }

    func accepts(_ proof: [UInt8], key id: String, nonce: String, seconds: Int) -> Bool {
        hmac.verifies(proof, for: Self.message(id, nonce, seconds))
    }

    /// The key that authenticates requests from now on.
    ///
    /// - Parameter nonce: of the screen.
    func key(_ id: String, nonce: String) -> [UInt8] { hmac.code(for: Array("key\n\(id)\n\(nonce)".utf8)) }

    private static func message(_ id: String, _ nonce: String, _ seconds: Int) -> [UInt8] {
        Array("screen\n\(id)\n\(nonce)\n\(seconds)".utf8)
    }
}
