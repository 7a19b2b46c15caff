import WharfCore
import WharfHTTP

/// A receiver of batches: each entry is a line, with its key before its bytes.
struct Mirror: BatchDestination {
    let name = "mirror"
    let kinds: Set<String> = [OutboxRequest.kind.name]
    let limits = BatchLimits(entries: 4)
    private let http: HTTPDestination

    init(_ http: HTTPDestination) { self.http = http }

    func deliver(_ batch: [OutboxEntry]) async -> [Delivery] {
        let lines = batch.map { entry in
            "\(entry.key.text) \(String(decoding: OutboxRequest(entry)?.body ?? [], as: UTF8.self))"
        }
        let body = Array(lines.joined(separator: "\n").utf8)
        let together = OutboxRequest(.post, "batches", body: body)
            .entry(batch[0].id, lane: batch[0].lane, to: name, at: batch[0].enqueuedAt)
        let delivery = await http.deliver(together)
        return batch.map { _ in delivery }
    }
}
