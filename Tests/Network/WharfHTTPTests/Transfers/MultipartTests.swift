import Testing
import WharfChecks
import WharfCore
import WharfHTTP
import WharfRandom

struct MultipartTests {
    private func sent(_ request: Request<Void>) async throws -> (bytes: [UInt8], length: Int64?, type: String) {
        guard case .stream(let make, let length) = request.body else { throw FormParser.Malformed(reason: "no stream") }
        return (try await make().collect(), length, request.fields[.contentType] ?? "")
    }

    @Test func partsArriveInOrderWithTheAnnouncedLength() async throws {
        let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await TemporaryFolder.contents { folder in
            try folder.write(content, "film")
            var random = SeededGenerator(seed: 3)
            var form = MultipartForm(using: &random)
            form.append("title", "Metropolis\r\n--x\r\n\r\n∞")
            form.append("title", "")
            try form.append("poster", bytes: [0, 13, 10, 45, 45, 255], filename: "a.png", contentType: "image/png")
            try form.append("film", file: folder["film"], filename: "b.bin")
            let (bytes, length, type) = try await sent(.post("films", multipart: form, decoding: .ignored))
            #expect(length == Int64(bytes.count))
            #expect(
                try FormParser.parts(bytes, contentType: type) == [
                    .init(
                        headers: [#"Content-Disposition: form-data; name="title""#],
                        body: Array("Metropolis\r\n--x\r\n\r\n∞".utf8)),
                    .init(headers: [#"Content-Disposition: form-data; name="title""#], body: []),
                    .init(
                        headers: [
                            #"Content-Disposition: form-data; name="poster"; filename="a.png""#,
                            "Content-Type: image/png",
                        ], body: [0, 13, 10, 45, 45, 255]),
                    .init(
                        headers: [
                            #"Content-Disposition: form-data; name="film"; filename="b.bin""#,
                            "Content-Type: application/octet-stream",
                        ], body: content),
                ])
        }
    }

    @Test func emptyFormIsItsClosingBoundary() async throws {
        let form = MultipartForm()
        let (bytes, length, _) = try await sent(.post("films", multipart: form, decoding: .ignored))
        #expect(bytes == Array("--\(form.boundary)--\r\n".utf8))
        #expect(length == Int64(bytes.count))
    }

    @Test func namesAreQuotedAsBrowsersDo() async throws {
        var form = MultipartForm()
        let name = "a\"b\r\nc\rd\ne\\%22ä"
        try form.append(name, bytes: [], filename: name)
        let (bytes, length, type) = try await sent(.post("films", multipart: form, decoding: .ignored))
        let quoted = #"a%22b%0D%0Ac%0Dd%0Ae\%22ä"#
        #expect(
            try FormParser.parts(bytes, contentType: type).first?.headers.first
                == "Content-Disposition: form-data; name=\"\(quoted)\"; filename=\"\(quoted)\"")
        #expect(length == Int64(bytes.count))
    }

    @Test func theSameRandomnessMakesTheSameBoundary() {
        var first = SeededGenerator(seed: 1)
        var second = SeededGenerator(seed: 1)
        let form = MultipartForm(using: &first)
        #expect(form.boundary == MultipartForm(using: &second).boundary)
        #expect(form.boundary != MultipartForm(using: &first).boundary)
        #expect(form.boundary.utf8.count == 38)
    }

    @Test(arguments: ["", "a\r\nX: y", "text/plain\0"])
    func aContentTypeThatAFieldCannotHoldIsRefused(_ type: String) {
        var form = MultipartForm()
        let error = #expect(throws: ReadFailure.self) {
            try form.append("a", bytes: [], filename: "a", contentType: type)
        }
        #expect(error?.code == .invalidRequest)
    }

    @Test func aFileThatIsNotThereIsRefusedWhenTheFormIsMade() {
        var form = MultipartForm()
        let error = #expect(throws: ReadFailure.self) { try form.append("a", file: "/nowhere/at all") }
        #expect(error?.code.name == "fileUnreadable")
    }

    private enum Item {
        case text(String, String)
        case file(String, filename: String, [UInt8])
    }

    /// A form with a fixed boundary, so that no part contains it. The form draws it at random and
    /// need not detect that.
    private static func form() -> MultipartForm {
        var random = SeededGenerator(seed: 3)
        return MultipartForm(using: &random)
    }

    /// Names and contents made of parts of a form's syntax.
    private static let items: Generator<[Item]> = {
        let almost = form().boundary.dropLast() + "~"
        let pieces = [
            "a", " ", "-", "--", "\r", "\n", "\r\n", "\"", "%22", "%", "\\", ";", "=", "\0", "ä", "∞", "filename=",
            "--\(almost)",
            "\r\n--\(almost)", "\r\n--wharf-", "\r\n--\r\n",
        ]
        let text = Generator.array(of: .element(of: pieces), count: 0...5).map { $0.joined() }
        let bytes = Generator.zip(text, Generator<UInt8>.int(in: 0...255)).map { Array($0.utf8) + [$1] }
        let item = Generator<Item>.oneOf(
            Generator.zip(text, text).map { .text($0, $1) },
            Generator.zip(text, text, bytes).map { .file($0, filename: $1, $2) })
        return .array(of: item, count: 0...5)
    }()

    @Test func formRoundTripsThroughAParser() async throws {
        try await forAll(Self.items, runs: 200) { items in
            var form = Self.form()
            var expected: [FormParser.Part] = []
            for item in items {
                switch item {
                case .text(let name, let value):
                    form.append(name, value)
                    let disposition = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
                    expected.append(.init(headers: [disposition], body: Array(value.utf8)))
                case .file(let name, let filename, let bytes):
                    try form.append(name, bytes: bytes, filename: filename)
                    let names = "name=\"\(Self.quoted(name))\"; filename=\"\(Self.quoted(filename))\""
                    let headers = [
                        "Content-Disposition: form-data; \(names)", "Content-Type: application/octet-stream",
                    ]
                    expected.append(.init(headers: headers, body: bytes))
                }
            }
            let (bytes, length, type) = try await sent(.post("films", multipart: form, decoding: .ignored))
            try require(length == Int64(bytes.count), "\(bytes.count) bytes came, \(length ?? -1) were announced")
            let found = try FormParser.parts(bytes, contentType: type)
            try require(found == expected, "found \(found)")
        }
    }

    /// Quotes by bytes, without the tested code.
    private static func quoted(_ text: String) -> String {
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case 13: Array("%0D".utf8)
            case 10: Array("%0A".utf8)
            case 34: Array("%22".utf8)
            default: [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aFormInsideOfAFormKeepsItsOwnBoundary() async throws {
        var inner = MultipartForm()
        inner.append("title", "Metropolis")
        let (nested, _, _) = try await sent(.post("films", multipart: inner, decoding: .ignored))
        var outer = MultipartForm()
        try outer.append("form", bytes: nested, filename: "form")
        let (bytes, _, type) = try await sent(.post("films", multipart: outer, decoding: .ignored))
        #expect(try FormParser.parts(bytes, contentType: type).map(\.body) == [nested])
    }

    @Test func failedPartEndsTheForm() async throws {
        try await TemporaryFolder.contents { folder in
            try folder.write([1, 2, 3], "film")
            var form = MultipartForm()
            try form.append("film", file: folder["film"])
            try folder.write([1, 2], "film")
            guard case .stream(let make, _) = form.body else { throw FormParser.Malformed(reason: "no stream") }
            var chunks = make().makeAsyncIterator()
            #expect(try await chunks.next() != nil)
            for _ in 0..<2 {
                let error = await #expect(throws: TransportError.self) { try await chunks.next() }
                #expect(error?.code == .fileUnreadable)
            }
        }
    }
}
