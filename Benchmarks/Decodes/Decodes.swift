internal import Benchmark
internal import Comparisons
internal import Foundation
internal import WharfJSON

let benchmarks: @Sendable () -> Void = {
    let shapes = Bytes(Documents.shapes(100_000, tagFirst: true))
    Benchmark.decodes(.shapes, [Shape].self, from: shapes)
    Benchmark.decodes(.shapesTagLast, [Shape].self, from: Bytes(Documents.shapes(100_000, tagFirst: false)))
    Benchmark.decodes(.users, [User].self, from: Bytes(Documents.users(10_000)))

    Benchmark.stoppingAtFirstError(.shapesFirstError, [Shape].self, from: shapes)
    Benchmark.direct(.shapes1000, [Shape].self, from: Bytes(Documents.shapes(1_000, tagFirst: true)))
    Benchmark.direct(.shapes4000, [Shape].self, from: Bytes(Documents.shapes(4_000, tagFirst: true)))

    // twitter.json, citm_catalog.json and canada.json, which are not ours to ship.
    guard let folder = ProcessInfo.processInfo.environment["WHARF_BENCH_JSON"] else { return }
    Benchmark.decodes(.twitter, Twitter.self, from: Bytes(file: "twitter.json", in: folder))
    Benchmark.decodes(.citm, CitmCatalog.self, from: Bytes(file: "citm_catalog.json", in: folder))
    Benchmark.decodes(.canada, Canada.self, from: Bytes(file: "canada.json", in: folder))
}

/// One document, in the form in which each decoder takes it.
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
        json = JSONBytes(Array(data))
    }
}

extension Benchmark {
    private static let configuration = Configuration(
        metrics: [.wallClock, .throughput], warmupIterations: 2, maxDuration: .seconds(4), maxIterations: 1_000
    )

    private static func time(_ timing: Timing, _ body: @escaping @Sendable () throws -> Void) {
        Benchmark(timing.name, configuration: configuration) { _ in
            for _ in 0..<timing.operations { try body() }
        }
    }

    /// Both directions by Foundation, the drop-in and the direct path, which must give equal values.
    static func decodes<Value: Codable & JSONCodable & Equatable & Sendable>(
        _ timings: DecodeTimings, _ type: Value.Type, from bytes: Bytes
    ) {
        time(timings.foundation) { blackHole(try JSONDecoder().decode(type, from: bytes.data)) }
        time(timings.dropIn) { blackHole(try CodableJSONDecoder().decode(type, from: bytes.json)) }
        time(timings.direct) { blackHole(try JSON.decode(type, from: bytes.json)) }
        time(timings.directWithCopy) {
            blackHole(try bytes.data.withUnsafeBytes { try JSON.decode(type, from: JSONBytes(copying: $0)) })
        }
        Benchmark("\(timings.name).agree", configuration: .init(metrics: [.wallClock], maxIterations: 1)) { _ in
            let expected = try JSONDecoder().decode(type, from: bytes.data)
            guard try CodableJSONDecoder().decode(type, from: bytes.json) == expected,
                try JSON.decode(type, from: bytes.json) == expected,
                try JSON.decode(type, from: JSON.encode(expected)) == expected
            else { throw WrongAnswer(expected: "what Foundation decodes from \(timings.name)", found: "another value") }
        }
        do {
            let value = try JSON.decode(type, from: bytes.json)
            time(timings.foundationEncoding) { blackHole(try JSONEncoder().encode(value)) }
            time(timings.dropInEncoding) { blackHole(try CodableJSONEncoder().encode(value)) }
            time(timings.directEncoding) { blackHole(try JSON.encode(value)) }
        } catch {
            FileHandle.standardError.write(Data("\(timings.name): \(error)\n".utf8))
            exit(65)
        }
    }

    static func direct<Value: JSONCodable>(_ timing: Timing, _ type: Value.Type, from bytes: Bytes) {
        time(timing) { blackHole(try JSON.decode(type, from: bytes.json)) }
    }

    static func stoppingAtFirstError<Value: JSONCodable>(_ timing: Timing, _ type: Value.Type, from bytes: Bytes) {
        let options = JSONReadingOptions(stopsAtFirstError: true)
        time(timing) { blackHole(try JSON.decode(type, from: bytes.json, options: options)) }
    }
}

struct WrongAnswer: Error {
    let expected: String
    let found: String
}
