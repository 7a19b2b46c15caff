import Foundation
import Testing
import WharfRandom

@testable import WharfURLSession

/// Compared with `openssl x509 -pubkey | openssl pkey -pubin -outform der` for the same
/// certificate.
@Suite struct SubjectPublicKeyInfoTests {
    private static let ec = (
        certificate:
            """
        MIIBiTCCAS+gAwIBAgIUHMidUcjd6DgO/2JtCPVqFzG3C00wCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIw\
        MDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC\
        AAQshCgB57Epjrx450UuHb+0cDh4ztvBW6Fr79aqGgqblkF9NlZln0RTAgH6LjOIlzivwr4X5OHl4PEF61k0IYC5o10wWzAPBgNV\
        HRMBAf8EBTADAQH/MCkGA1UdEQQiMCCCCWxvY2FsaG9zdIINYXBpLmxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUCnlguGdT0Jpp\
        eRg3F7kjuk29ZCIwCgYIKoZIzj0EAwIDSAAwRQIhAIlnzuwKIuHnS/3XnFvNQqsz1IcdEBhCrof/Pxkvfa+mAiAZU0xb4+e8uHS7\
        ykFCZIB3WV/Gv1BWhDYrlTnDHGr/PQ==
        """,
        key:
            """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELIQoAeexKY68eOdFLh2/tHA4eM7bwVuha+/WqhoKm5ZBfTZWZZ9EUwIB+i4ziJc4\
        r8K+F+Th5eDxBetZNCGAuQ==
        """
    )
    private static let rsa = (
        certificate:
            """
        MIIC+TCCAeGgAwIBAgIUX2vh7IL1yV9vj2/dzRqOp/Hwof0wDQYJKoZIhvcNAQELBQAwDDEKMAgGA1UEAwwBaDAeFw0yNjExMjEx\
        OTMxMTNaFw0yNjExMjIxOTMxMTNaMAwxCjAIBgNVBAMMAWgwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDVyUqahN4A\
        QvWlsTxAv32G8QhxHh53lm/+KZKl0wxHm+a9djyq1rGGvuwKD5qeCt2COXIK8dg62gZaM4mJ0nNXC5L4fGD1+k90xtKFYpjiMwlu\
        mdyYOTQ0askFrsFtm1M1eyh8exsUcJa+xDGvbCiJpnEaDnyA4HEJz7OBT5whhQIUpeeJr07VKRsbR5jKotaY9sM36x3bEFgpCYSh\
        U09n6Bb/ESosldwKrrAJmdXoZUkh5gphHru/kcCG07q3GSYeH4w1HKf8iHwjhcTW9anFzcv2hZuVdui6+TE0HYgznDOab4hJ+tIX\
        ewnZVNjB5irohkXltk7jaeabqq5YwgWVAgMBAAGjUzBRMB0GA1UdDgQWBBSV619FQ2ukeijOvyoE8pdH7k69IjAfBgNVHSMEGDAW\
        gBSV619FQ2ukeijOvyoE8pdH7k69IjAPBgNVHRMBAf8EBTADAQH/MA0GCSqGSIb3DQEBCwUAA4IBAQCb+DyVWQeDA/TIEzYaRTTt\
        QA9DTGQx+njd176CRJVWeVzuOtWzeCxpCax2fHM1bc1hRuR8jKXSe4BBn5yMgT/I6XHJNhSD9Fx/zT2SC2oUynFjaYIn9Hv4/wDY\
        xXBKbAEoWz9+71u2Xh3knpJ/gUtbAC6Q/WJVEUoBcOw23KaUjD9qG0NVDvGHg3xmPZRpg7uBugP8PjeJ1ABkJveuBpRsdc2C0SmR\
        dY5eBosN5vfa+5QJ8356UM9lLr9RCoi6hSEAkyJjXEPdVYMiCdI8cNJbuNqlulKka7er2fHTfRkItFJz5NZ5C2sIf2yoTQ7XMxEy\
        JZQ75DHByS1+0iQT6NCF
        """,
        key:
            """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA1clKmoTeAEL1pbE8QL99hvEIcR4ed5Zv/imSpdMMR5vmvXY8qtaxhr7s\
        Cg+angrdgjlyCvHYOtoGWjOJidJzVwuS+Hxg9fpPdMbShWKY4jMJbpncmDk0NGrJBa7BbZtTNXsofHsbFHCWvsQxr2woiaZxGg58\
        gOBxCc+zgU+cIYUCFKXnia9O1SkbG0eYyqLWmPbDN+sd2xBYKQmEoVNPZ+gW/xEqLJXcCq6wCZnV6GVJIeYKYR67v5HAhtO6txkm\
        Hh+MNRyn/Ih8I4XE1vWpxc3L9oWblXbouvkxNB2IM5wzmm+ISfrSF3sJ2VTYweYq6IZF5bZO42nmm6quWMIFlQIDAQAB
        """
    )

    private static func bytes(_ base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }

    @Test(arguments: [ec, rsa])
    func findsTheKeyThatOpenSSLFinds(certificate: String, key: String) {
        let found = SubjectPublicKeyInfo.find(in: Self.bytes(certificate))
        #expect(found.map(Array.init) == Self.bytes(key))
    }

    @Test func truncatedCertificateHasNoKey() {
        let whole = Self.bytes(Self.rsa.certificate)
        for count in 0..<whole.count { #expect(SubjectPublicKeyInfo.find(in: Array(whole.prefix(count))) == nil) }
    }

    @Test(arguments: UInt64(0)..<10)
    func noiseIsReadWithoutATrap(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var bytes = Self.bytes(Self.ec.certificate)
            for _ in 0..<Int.random(in: 1..<6, using: &random) {
                bytes[Int.random(in: 0..<120, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            let found = SubjectPublicKeyInfo.find(in: bytes)
            #expect((found?.count ?? 0) < bytes.count)
        }
    }
}
