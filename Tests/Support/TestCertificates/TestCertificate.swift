/// A self-signed certificate for tests, with its key, in PEM form.
///
/// It is for localhost, api.localhost and 127.0.0.1, valid from 2020 to 2120 or 2121, and made by
/// `openssl req` and `openssl ca -selfsign`.
public struct TestCertificate: Sendable {
    public let chain: String
    public let key: String

    /// The certificate of the tests that need one.
    public static let first = TestCertificate(
        chain: """
            -----BEGIN CERTIFICATE-----
            MIIBiTCCAS+gAwIBAgIUHMidUcjd6DgO/2JtCPVqFzG3C00wCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
            MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAAQshCgB57Epjrx450UuHb+0cDh4ztvBW6Fr79aqGgqblkF9NlZln0RT
            AgH6LjOIlzivwr4X5OHl4PEF61k0IYC5o10wWzAPBgNVHRMBAf8EBTADAQH/MCkG
            A1UdEQQiMCCCCWxvY2FsaG9zdIINYXBpLmxvY2FsaG9zdIcEfwAAATAdBgNVHQ4E
            FgQUCnlguGdT0JppeRg3F7kjuk29ZCIwCgYIKoZIzj0EAwIDSAAwRQIhAIlnzuwK
            IuHnS/3XnFvNQqsz1IcdEBhCrof/Pxkvfa+mAiAZU0xb4+e8uHS7ykFCZIB3WV/G
            v1BWhDYrlTnDHGr/PQ==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1GMPx/rwJmfFvfNP
            ZWJe22dmnrfWhOGCK689SUDJy/uhRANCAAQshCgB57Epjrx450UuHb+0cDh4ztvB
            W6Fr79aqGgqblkF9NlZln0RTAgH6LjOIlzivwr4X5OHl4PEF61k0IYC5
            -----END PRIVATE KEY-----
            """)

    /// A certificate for the same names with another key, valid to 2121.
    public static let renewed = TestCertificate(
        chain: """
            -----BEGIN CERTIFICATE-----
            MIIBiTCCAS+gAwIBAgIUZJOoMCHjmPXaM00Sp6XN9yglrCgwCgYIKoZIzj0EAwIw
            FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjEwMTAx
            MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
            PQMBBwNCAARbCPuGweGhHpmV6+6hhq94Xkd4yJXWQQA/MReulQnxTK0fSh0WrbxX
            icssugmFy1sJbtx10M0R10vBXpKYtpWCo10wWzAPBgNVHRMBAf8EBTADAQH/MCkG
            A1UdEQQiMCCCCWxvY2FsaG9zdIINYXBpLmxvY2FsaG9zdIcEfwAAATAdBgNVHQ4E
            FgQU9hS0VSeJl7QCmjv9pnxZRzTPDLwwCgYIKoZIzj0EAwIDSAAwRQIhAMpdRDtR
            cJH2vRQJMaJ32oiCMgKhV1fXwXNnWboqqFYUAiAg2GvngXkpEaNIiXKsEVn03TOo
            spKsqymf7AGSMFfzlA==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxwICr6Qyp8YHjkGV
            B+kxjrQ3Y+YexfDo26zC+nvWewShRANCAARbCPuGweGhHpmV6+6hhq94Xkd4yJXW
            QQA/MReulQnxTK0fSh0WrbxXicssugmFy1sJbtx10M0R10vBXpKYtpWC
            -----END PRIVATE KEY-----
            """)

    /// The pin of ``first``, as `openssl` computes it.
    public static let pin = "NZXuR+NnvF5ROduOPY8lyt2MvYIMkOQH5QYse1SpZcY="
}
