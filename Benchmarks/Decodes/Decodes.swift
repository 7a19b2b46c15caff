internal import Benchmark
internal import Comparisons
internal import Foundation
internal import Turns
internal import WharfCheck
internal import WharfJSON

let benchmarks: @Sendable () -> Void = {
    Benchmark.codes(.shapes, [Shape].self, Bytes(Documents.shapes(100_000, tagFirst: true)))
    Benchmark.codes(.shapesTagLast, [Shape].self, Bytes(Documents.shapes(100_000, tagFirst: false)))
    Benchmark.codes(.users, [User].self, Bytes(Documents.users(10_000)))
    Benchmark.grows()
    Benchmark.checksLines()

    // twitter.json, citm_catalog.json and canada.json are not in the repository, as they are not
    // ours to distribute.
    guard let folder = ProcessInfo.processInfo.environment["WHARF_BENCH_JSON"] else { return }
    Benchmark.codes(.twitter, Twitter.self, Bytes(file: "twitter.json", in: folder))
    Benchmark.codes(.citm, CitmCatalog.self, Bytes(file: "citm_catalog.json", in: folder))
    Benchmark.codes(.canada, Canada.self, Bytes(file: "canada.json", in: folder))
}

extension Benchmark {
    /// Times decoding and encoding by Foundation, the `Codable` coder and the direct path.
    static func codes<Value: Codable & JSONCodable & Equatable & Sendable>(
        _ timings: DecodeTimings, _ type: Value.Type, _ bytes: Bytes
    ) {
        let value: Value
        do { value = try JSONDecoder().decode(type, from: bytes.data) } catch {
            FileHandle.standardError.write(Data("\(timings.name): \(error)\n".utf8))
            exit(65)
        }
        let stopping = JSONReadingOptions(stopsAtFirstError: true)
        compares([
            Way(timings.foundation) { blackHole(try JSONDecoder().decode(type, from: bytes.data)) },
            Way(timings.dropIn) { blackHole(try CodableJSONDecoder().decode(type, from: bytes.json)) },
            Way(timings.direct) { blackHole(try JSON.decode(type, from: bytes.json)) },
            Way(timings.directWithCopy) { blackHole(try JSON.decode(type, from: JSONBytes(copying: bytes.data))) },
            Way(timings.directFirstError) { blackHole(try JSON.decode(type, from: bytes.json, options: stopping)) },
            Way(timings.foundationEncoding) { blackHole(try JSONEncoder().encode(value)) },
            Way(timings.dropInEncoding) { blackHole(try CodableJSONEncoder().encode(value)) },
            Way(timings.directEncoding) { blackHole(try JSON.encode(value)) },
        ]) {
            guard try CodableJSONDecoder().decode(type, from: bytes.json) == value,
                try JSON.decode(type, from: bytes.json) == value,
                try JSON.decode(type, from: JSON.encode(value)) == value,
                try JSON.decode(type, from: CodableJSONEncoder().encode(value)) == value
            else { throw WrongAnswer(expected: "what Foundation decodes from \(timings.name)", found: "another value") }
        }
    }

    /// Times documents with 1,000 and 4,000 elements.
    static func grows() {
        let few = Bytes(Documents.shapes(1_000, tagFirst: true))
        let many = Bytes(Documents.shapes(4_000, tagFirst: true))
        compares([
            Way(.shapes1000) { blackHole(try JSON.decode([Shape].self, from: few.json)) },
            Way(.shapes4000) { blackHole(try JSON.decode([Shape].self, from: many.json)) },
        ]) {
            let count = try JSON.decode([Shape].self, from: many.json).count
            guard count == 4_000 else { throw WrongAnswer(expected: "4000 shapes", found: "\(count)") }
        }
    }

    /// Times the work of one worker of `wharf check --lines`.
    static func checksLines() {
        struct Request: Decodable {
            struct Post: Decodable { let title: String, tags: [String] }
            let posts: [Post]
        }
        let post = #"{"title": "alpha beta gamma delta", "tags": ["alpha", "beta", "gamma"]}"#
        let line = Bytes("{\"posts\": [\(Array(repeating: post, count: 4).joined(separator: ", "))]}")
        let count = 20_000
        let text = line.json.array
        compares([
            Way(.linesDecoded) {
                for _ in 0..<count { blackHole(try JSONDecoder().decode(Request.self, from: line.data)) }
            },
            Way(.linesChecked) {
                let check = PayloadCheck(Request.self)
                for _ in 0..<count { blackHole(check.findings(in: text)) }
            },
        ]) {
            guard PayloadCheck(Request.self).findings(in: text).isEmpty else {
                throw WrongAnswer(expected: "no findings", found: "some")
            }
        }
    }
}

/// One document in the forms that the decoders take.
struct Bytes: Sendable {
    let data: Data
    let json: JSONBytes

    init(_ text: String) {
        data = Data(text.utf8)
        json = JSONBytes(text)
    }

    init(file name: String, in folder: String) {
        let url = URL(filePath: folder).appending(path: name)
        guard let data = try? Data(contentsOf: url) else {
            FileHandle.standardError.write(
                Data("\(url.path()) can't be read; WHARF_BENCH_JSON names its folder\n".utf8))
            exit(66)
        }
        self.data = data
        json = JSONBytes(copying: data)
    }
}

extension JSONBytes {
    init(copying data: Data) {
        self = data.withUnsafeBytes { JSONBytes(copying: $0) }
    }
}
