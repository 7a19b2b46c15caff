import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

/// The answers of each cache mode, by the stored response and the origin's behaviour.
@Suite struct ModeTableTests {
    enum Kept: String, CaseIterable, Sendable { case none, fresh, stale }

    enum Origin: String, CaseIterable, Sendable {
        case changed, unchanged, unreachable, unavailable, gone, broken
    }

    struct Row: Sendable, CustomStringConvertible {
        let mode: CacheMode
        let kept: Kept
        /// The results in the order of ``Origin``. `kept!` comes with a failure. `new*` is a body
        /// that breaks while it is read.
        let expected: [String]
        var description: String { "\(mode), \(kept)" }

        init(_ mode: CacheMode, _ kept: Kept, _ expected: String...) {
            self.mode = mode
            self.kept = kept
            self.expected = expected
        }
    }

    static let rows: [Row] = [
        //                  changed, unchanged, unreachable, unavailable, gone, broken
        Row(.normal, .none, "new", "new", "offline", "503", "404", "new*"),
        Row(.normal, .fresh, "kept", "kept", "kept", "kept", "kept", "kept"),
        Row(.normal, .stale, "new", "confirmed", "kept!", "kept!", "404", "kept!"),
        Row(
            .storedOnly, .none, "nothingKept", "nothingKept", "nothingKept", "nothingKept", "nothingKept", "nothingKept"
        ),
        Row(.storedOnly, .fresh, "kept", "kept", "kept", "kept", "kept", "kept"),
        Row(.storedOnly, .stale, "kept", "kept", "kept", "kept", "kept", "kept"),
        Row(.reload, .none, "new", "new", "offline", "503", "404", "new*"),
        Row(.reload, .fresh, "new", "confirmed", "kept!", "kept!", "404", "kept!"),
        Row(.reload, .stale, "new", "confirmed", "kept!", "kept!", "404", "kept!"),
        Row(.bypass, .none, "new", "new", "offline", "503", "404", "new*"),
        Row(.bypass, .fresh, "new", "new", "offline", "503", "404", "new*"),
        Row(.bypass, .stale, "new", "new", "offline", "503", "404", "new*"),
    ]

    @Test(arguments: rows, Origin.allCases)
    func cacheModeDecidesAnswerAndStoreByTheTable(row: Row, origin: Origin) async throws {
        let rig = Rig { request in
            guard request.head.path != "/prepare" else { return .failure(.invalidRequest) }
            return Self.answer(origin, to: request)
        }
        if row.kept != .none { try await prepare(rig) }
        rig.clock.advance(by: .seconds(row.kept == .stale ? 60 : 1))

        let expected = row.expected[Origin.allCases.firstIndex(of: origin) ?? 0]
        #expect(await outcome(rig, row.mode) == expected)
        #expect(rig.origin.requests.isEmpty == ["kept", "nothingKept"].contains(expected), "requests that were sent")
        #expect(rig.incidents.codes.isEmpty)

        // After every failure the last good value is still stored. A completely received response
        // has replaced it.
        let left: String? =
            switch expected {
            case "new": "new"
            case "404": row.mode == .bypass && row.kept != .none ? "kept" : nil
            default: row.kept == .none ? nil : "kept"
            }
        #expect(try await rig.kept() == left)
    }

    private func prepare(_ rig: Rig) async throws {
        let head = stored([.cacheControl: "max-age=10", .eTag: "\"1\"", .date: date()])
        let writer = try await rig.store.begin(CacheKey(target: "https://example.com/a"), head)
        try await writer.append(Array("kept".utf8))
        _ = try await writer.commit()
    }

    private static func answer(_ origin: Origin, to request: TransportRequest) -> StubAnswer {
        let fields: HTTPFields = [.cacheControl: "max-age=10", .eTag: "\"2\""]
        switch origin {
        case .unchanged where request.head.headerFields[.ifNoneMatch] == "\"1\"": return .respond(.notModified)
        case .changed, .unchanged: return .ok("new", fields: fields)
        case .unreachable: return .failure(.offline)
        case .unavailable: return .respond(.serviceUnavailable, "down")
        case .gone: return .respond(.notFound, fields: [.cacheControl: "no-store"], "gone")
        case .broken: return .broken([Array("ne".utf8)], fields: fields)
        }
    }

    private func outcome(_ rig: Rig, _ mode: CacheMode) async -> String {
        let response: TransportResponse
        do {
            response = try await rig.cache.send(get(cache: mode))
        } catch {
            return "\(error.code)"
        }
        guard response.head.status == .ok else { return "\(response.head.status.code)" }
        do {
            let text = String(decoding: try await response.body.collect(), as: UTF8.self)
            switch response.provenance.source {
            case .revalidated: return text == "kept" ? "confirmed" : "confirmed \(text)"
            case .httpCache: return text + (response.provenance.failure == nil ? "" : "!")
            default: return text
            }
        } catch {
            return "new*"
        }
    }
}
