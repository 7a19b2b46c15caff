import WharfCheck

/// A JSON report as a program reads it.
struct ReadReport: Decodable {
    struct Document: Decodable {
        let input: String
        let line: Int?
        let value: String?
        let findings: [Finding]
    }

    struct Finding: Decodable {
        let kind: String
        let isError: Bool
        let line: Int
        let column: Int
        let offset: Int
        let path: [Step]
        let message: String
        let hides: String?
    }

    enum Step: Decodable, Equatable {
        case key(String), index(Int)

        init(from decoder: any Decoder) throws {
            let step = try decoder.singleValueContainer()
            if let index = try? step.decode(Int.self) {
                self = .index(index)
            } else {
                self = .key(try step.decode(String.self))
            }
        }
    }

    struct Summary: Decodable {
        struct Unread: Decodable {
            let input: String
            let reason: String
        }

        let documents: Int
        let wrongDocuments: Int
        let errors: Int
        let counts: [String: Int]
        let omitted: Int
        let unreadInputs: [Unread]
    }

    let type: String
    let documents: [Document]
    let summary: Summary

    static func of(_ text: String) throws -> ReadReport {
        try CodableJSONDecoder().decode(ReadReport.self, from: Array(text.utf8))
    }
}
