import Testing
import WharfPrimitives

@testable import WharfScreens

/// Compared with the standards' examples and with Python's `hashlib`.
struct HMACTests {
    @Test(arguments: [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (3, "6ab0dba1f4f1dfbb37b4f9eeb092c09fca4900ad32bdcd147d8dde35d6c87c35"),
        (55, "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72"),
        (56, "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1"),
        (63, "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e"),
        (64, "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8"),
        (65, "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720"),
        (119, "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e"),
        (120, "42500cf6a1e3936d6b9e0bcfe296d654b63255e525487d3634d0b15fde591c4d"),
        (128, "489d55fea9a73af36b6dd0be7b4117d8e5683386d39544e8a44c99a87f368707"),
        (1000, "6b0df76627243d095b0c4400cb658b7e804dd03461cc03aee8fc8fe0bcada168"),
    ])
    func digestMatchesAnIndependentImplementation(count: Int, digest: String) {
        let bytes = (0..<count).map { UInt8(($0 * 7 + count) % 256) }
        #expect(Hexadecimal.text(SHA256.digest(bytes)) == digest)
        // In pieces that end at different offsets of a block.
        var hash = SHA256()
        var rest = bytes[...]
        while !rest.isEmpty {
            hash.append(Array(rest.prefix(13)))
            rest = rest.dropFirst(13)
        }
        #expect(Hexadecimal.text(hash.finish()) == digest)
    }

    /// Cases 1, 2 and 6 of RFC 4231.
    @Test(arguments: [
        (
            "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", "4869205468657265",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func aCodeIsThatOfRFC4231(key: String, message: String, code: String) throws {
        let hmac = HMAC(key: try #require(Hexadecimal.bytes(Array(key.utf8))))
        let message = try #require(Hexadecimal.bytes(Array(message.utf8)))
        #expect(Hexadecimal.text(hmac.code(for: message)) == code)
    }

    /// RFC 7914, section 11, and two iterations by `hashlib`.
    @Test func aDerivedKeyIsThatOfRFC7914() {
        let one = HMAC.derive(from: Array("passwd".utf8), salt: Array("salt".utf8), iterations: 1)
        #expect(Hexadecimal.text(one) == "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc")
        let two = HMAC.derive(from: Array("password".utf8), salt: Array("salt".utf8), iterations: 2)
        #expect(Hexadecimal.text(two) == "ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43")
    }

    @Test func changedBitMakesCodesDiffer() {
        let code = SHA256.digest([])
        #expect(HMAC.isSame(code, code))
        for index in code.indices {
            var other = code
            other[index] ^= 1
            #expect(!HMAC.isSame(code, other))
        }
        #expect(!HMAC.isSame(code, code.dropLast()))
        #expect(!HMAC.isSame(code, []))
    }
}
