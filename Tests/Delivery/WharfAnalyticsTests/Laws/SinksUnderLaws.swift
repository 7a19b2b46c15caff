import Foundation
import Synchronization
import WharfAnalytics
import WharfAnalyticsFakes
import WharfAnalyticsLaws
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON

enum SinksUnderLaws {
    static let all: [AnalyticsSinkLaws.Subject] = [
        .init("HTTPCollector") {
            FakeCollector().underLaws { HTTPCollector(endpoint: HTTPCollectorTests.endpoint, transport: $0) }
        },
        .init("HTTPCollector with limits") {
            var format = CollectorFormat()
            format.eventLimit = 1_000
            format.requestLimit = 3_000
            let limited = format
            return FakeCollector().underLaws(format: limited) {
                HTTPCollector(endpoint: HTTPCollectorTests.endpoint, transport: $0, format: limited)
            }
        },
        .init("Segment") {
            FakeCollector(events: "batch", id: "messageId").underLaws(format: .segment()) {
                .segment(writeKey: "key", transport: $0)
            }
        },
        .init("PostHog") {
            FakeCollector(events: "batch", id: "uuid").underLaws(format: .postHog(apiKey: "key")) {
                .postHog(apiKey: "key", transport: $0, isCompressed: false)
            }
        },
        .init("NDJSONFile") { try file() },
        .init("ConsoleSink") {
            let lines = Mutex<[String]>([])
            return .init(
                ConsoleSink { line in lines.withLock { $0.append(line) } }, abilities: [],
                arrivals: { try lines.withLock { try $0.map { try arrival(Array($0.utf8)) } } })
        },
        .init("RecordingSink") { recording() },
    ]

    /// A file whose folder is missing while the receiver is to be busy.
    private static func file() throws -> AnalyticsSinkLaws.Instance {
        let folder = try TemporaryFolder()
        let logs = folder["logs"]
        try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
        return .init(
            NDJSONFile(path: "\(logs)/events.ndjson"), abilities: [.beingBusy],
            arrivals: {
                guard FileManager.default.fileExists(atPath: folder["logs/events.ndjson"]) else { return [] }
                return try folder.bytes(of: "logs/events.ndjson").split(separator: 0x0A).map { try arrival(Array($0)) }
            },
            set: { condition in
                if condition == .busy {
                    try FileManager.default.removeItem(atPath: logs)
                } else {
                    try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
                }
            })
    }

    private static func recording() -> AnalyticsSinkLaws.Instance {
        let sink = RecordingSink()
        return .init(
            sink, abilities: [.beingBusy, .refusing],
            arrivals: {
                sink.batches.flatMap { batch in batch.map { .init(content: $0.event.json, key: batch.key.text) } }
            },
            set: { condition in
                switch condition {
                case .working: sink.answer(.delivered)
                case .busy: sink.answer(.retry(DeliveryFailure(.unavailable, message: "down")))
                case .refusing: sink.answer(.rejected(DeliveryFailure(.rejected, message: "never")))
                }
            })
    }

    private static func arrival(_ line: [UInt8]) throws -> AnalyticsSinkLaws.Arrival {
        .init(content: try JSON.decode(JSONValue.self, from: line))
    }
}
