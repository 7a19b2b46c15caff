import Testing
import WharfChecks

@Suite struct SnakeCaseTests {
    @Test(arguments: [
        ("id", "id"), ("createdAt", "created_at"), ("homeURL", "home_url"), ("URLString", "url_string"),
        ("isHTTPOnly", "is_http_only"), ("int32Value", "int32_value"), ("_private", "_private"), ("a_b", "a_b"),
    ])
    func keysAreSnakeCasedPropertyNames(name: String, key: String) {
        Expansion.check(
            """
            @JSONCodable(keys: .snakeCase) struct S: JSONDecodable {
                let \(name): Int
                static func decode(from json: inout JSONReader) -> Self? { nil }
            }
            """,
            becomes: """
                struct S: JSONDecodable {
                    let \(name): Int
                    static func decode(from json: inout JSONReader) -> Self? { nil }
                }

                extension S: JSONDecodable {
                }

                extension S: JSONEncodable {
                    func encode(into json: inout JSONWriter) {
                        json.beginObject()
                        json.field("\(key)", \(name))
                        json.endObject()
                    }
                }
                """)
    }
}
