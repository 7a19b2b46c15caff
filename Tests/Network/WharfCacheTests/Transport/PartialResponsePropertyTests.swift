import Synchronization
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfRandom

/// Each delivered body has the bytes of one version, with any sequence of stored parts (RFC 9111
/// §3.4).
@Suite struct PartialResponsePropertyTests {
    @Test(arguments: 0..<40 as Range<UInt64>)
    func eachBodyIsOfOneVersion(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let resource = Resource(SeededGenerator(seed: seed &+ 1_000))
        let rig = Rig { request in resource.answer(request) }
        for step in 0..<60 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1: resource.change()
            case 2: rig.clock.advance(by: .seconds(.random(in: 1...40, using: &random)))
            case 3: try await rig.read(get(method: .post))
            case 4..<8:
                // A reader that walks through the body, as a player does.
                let length = resource.length
                let size = Int.random(in: 1...max(1, length), using: &random)
                for first in stride(from: 0, to: length, by: size) {
                    let request = get([.range: "bytes=\(first)-\(first + size - 1)"])
                    try await check(request, rig, resource, "\(random), step \(step)")
                }
                try await check(get(cache: .storedOnly), rig, resource, "\(random), step \(step)")
            default:
                try await check(
                    Self.request(resource.tags, &random), rig, resource, "\(random), step \(step)")
            }
        }
        #expect(rig.incidents.codes.isEmpty)
    }

    /// The parts become complete responses: otherwise the property would hold for a cache that
    /// stores no part.
    @Test func walkOverAllSeedsCombinesParts() async throws {
        var combined = 0
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let resource = Resource(SeededGenerator(seed: seed), isReliable: true)
            let rig = Rig { request in resource.answer(request) }
            let length = resource.length
            var first = 0
            while first < length {
                let count = Int.random(in: 1...max(1, length / 2), using: &random)
                try await rig.read(get([.range: "bytes=\(first)-\(first + count - 1)"]))
                first += count
            }
            let requests = rig.origin.requests.count
            let (response, text) = try await rig.read()
            #expect(response.head.status == .ok && Array(text.utf8) == resource.versions.last?.bytes, "\(random)")
            if rig.origin.requests.count == requests { combined += 1 }
        }
        #expect(combined == 20)
    }

    private static func request(_ tags: [String], _ random: inout SeededGenerator) -> TransportRequest {
        var fields = HTTPFields()
        if Int.random(in: 0..<4, using: &random) > 0 {
            let first = Int.random(in: 0..<20, using: &random)
            fields[.range] =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: "bytes=\(first)-"
                case 1: "bytes=-\(first)"
                default: "bytes=\(first)-\(first + .random(in: 0..<12, using: &random))"
                }
            if Int.random(in: 0..<4, using: &random) == 0 { fields[.ifRange] = tags.randomElement(using: &random) }
        }
        if Int.random(in: 0..<8, using: &random) == 0 { fields[.ifNoneMatch] = tags.randomElement(using: &random) }
        let modes: [CacheMode] = [.normal, .normal, .normal, .normal, .reload, .storedOnly, .bypass]
        return get(
            fields, method: Int.random(in: 0..<10, using: &random) == 0 ? .head : .get,
            cache: modes.randomElement(using: &random) ?? .normal)
    }

    private func check(
        _ request: TransportRequest, _ rig: Rig, _ resource: Resource, _ comment: String
    ) async throws {
        let response: TransportResponse
        let body: [UInt8]
        do throws(TransportError) {
            response = try await rig.cache.send(request)
            body = try await response.body.collect()
        } catch {
            let allowed: [TransportError.Code] = request.cache == .storedOnly ? [.nothingKept] : [.connectionLost]
            #expect(allowed.contains(error.code), "\(comment): \(error)")
            return
        }
        let fields = response.head.headerFields
        let asked = request.head.headerFields
        let comment: Comment = "\(comment): \(request.head.method) \(asked) \(request.cache) got \(response.head)"
        // Weak tags name several versions.
        let versions = resource.versions.filter { $0.tag == fields[.eTag] }
        #expect(!versions.isEmpty, comment)
        switch response.head.status.code {
        case 200 where request.head.method == .head:
            // HEAD must not get the length of a part.
            #expect(body.isEmpty && versions.contains { fields[.contentLength] == String($0.bytes.count) }, comment)
        case 200:
            #expect(versions.contains { $0.bytes == body }, comment)
            #expect(fields[.contentRange] == nil && fields[.contentLength] == String(body.count), comment)
        case 206 where fields[.contentType] != nil:
            #expect(response.provenance.cacheStatus?.hit == false, comment)
        case 206:
            guard let range = asked[.range].flatMap(ByteRange.init),
                let place = fields[.contentRange].flatMap(ContentRange.init)
            else {
                Issue.record(comment)
                return
            }
            #expect(
                versions.contains { version in
                    version.bytes.count == Int(place.length)
                        && Array(version.bytes[Int(place.bytes.lowerBound)..<Int(place.bytes.upperBound)]) == body
                }, comment)
            if response.provenance.cacheStatus?.hit == true {
                #expect(range.bytes(of: place.length) == place.bytes, comment)
            }
            if let ifRange = asked[.ifRange] { #expect(ifRange == fields[.eTag], comment) }
        case 304: #expect(asked[.ifNoneMatch] != nil && body.isEmpty, comment)
        case 416:
            let range = asked[.range].flatMap(ByteRange.init)
            #expect(versions.contains { range?.bytes(of: Int64($0.bytes.count)) == nil }, comment)
        default: Issue.record(comment)
        }
    }
}

/// An origin with one resource, and all versions that it had.
private final class Resource: Sendable {
    struct Version: Sendable {
        let tag: String
        let bytes: [UInt8]
    }

    private struct State {
        var versions: [Version] = []
        var random: SeededGenerator
    }

    private let state: Mutex<State>
    /// Whether it states lifetimes and lengths, delivers whole bodies and keeps to the range.
    private let isReliable: Bool

    init(_ random: SeededGenerator, isReliable: Bool = false) {
        self.state = Mutex(State(random: random))
        self.isReliable = isReliable
        change()
    }

    var versions: [Version] { state.withLock(\.versions) }
    var tags: [String] { versions.map(\.tag) }
    var length: Int { versions.last?.bytes.count ?? 0 }

    /// Makes a new version. Its tag is strong, or the same weak one as of others.
    func change() {
        state.withLock { state in
            let number = state.versions.count
            let isWeak = !isReliable && Int.random(in: 0..<4, using: &state.random) == 0
            let length = Int.random(in: 1...24, using: &state.random)
            // ASCII, so that a text has the same bytes.
            let bytes = (0..<length).map { UInt8(33 + (number * 7 + $0 * 11) % 89) }
            state.versions.append(Version(tag: isWeak ? "W/\"w\"" : "\"\(number)\"", bytes: bytes))
        }
    }

    func answer(_ request: TransportRequest) -> StubAnswer {
        state.withLock { state in answer(request, &state) }
    }

    private func answer(_ request: TransportRequest, _ state: inout State) -> StubAnswer {
        guard request.head.method != .post, let version = state.versions.last else { return .respond(.noContent) }
        let asked = request.head.headerFields
        let controls =
            isReliable
            ? ["max-age=60"] : ["max-age=60", "max-age=20", "no-cache", "max-age=0, must-revalidate", "no-store"]
        var fields: HTTPFields = [
            .cacheControl: controls.randomElement(using: &state.random) ?? "", .eTag: version.tag,
        ]
        // Weak comparison (RFC 9110 §13.1.2): no strong tag has the text of the weak one.
        if asked[.ifNoneMatch] == version.tag { return .respond(.notModified, fields: fields) }
        let isHead = request.head.method == .head
        let isSameVersion = asked[.ifRange].map { $0 == version.tag && !$0.hasPrefix("W/") } ?? true
        var answer = StubAnswer(head: HTTPResponse(status: .ok, headerFields: fields))
        var bytes = version.bytes
        if !isHead, isSameVersion, let range = asked[.range].flatMap(ByteRange.init) {
            guard var place = range.bytes(of: Int64(bytes.count)) else {
                fields[.contentRange] = "bytes */\(bytes.count)"
                fields[.contentLength] = "0"
                return .respond(.rangeNotSatisfiable, fields: fields)
            }
            // An origin may send fewer bytes than were asked for (RFC 9110 §15.3.7).
            if happens(&state), place.count > 1 { place = place.lowerBound..<place.upperBound - 1 }
            answer.head?.status = .partialContent
            if happens(&state) {
                fields[.contentType] = "multipart/byteranges; boundary=x"
                bytes = Array("--x--".utf8)
            } else {
                fields[.contentRange] = ContentRange(place, of: Int64(bytes.count)).fieldValue
                bytes = Array(bytes[Int(place.lowerBound)..<Int(place.upperBound)])
            }
        }
        fields[.contentLength] = String(bytes.count)
        answer.head?.headerFields = fields
        let middle = bytes.count / 2
        answer.chunks = [Array(bytes[..<middle]), Array(bytes[middle...])].filter { !$0.isEmpty }
        if happens(&state), !isHead {
            answer.chunks.removeLast()
            answer.failure = TransportError(.connectionLost, message: "scripted")
        }
        return answer
    }

    /// Returns true one time in eight, and never for a reliable origin.
    private func happens(_ state: inout State) -> Bool {
        !isReliable && Int.random(in: 0..<8, using: &state.random) == 0
    }
}
