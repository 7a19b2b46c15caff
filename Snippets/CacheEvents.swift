// Article "On a server": the events of the HTTP cache in a log, in metrics and in spans.
// snippet.hide
#if Server
import Wharf
import WharfCache
import WharfServer

struct Service: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=3600"]),
            body: BodyStream(Array("Leanne Graham".utf8)),
            provenance: Provenance(source: .network, asOf: SystemWallClock().now()))
    }
}

var configuration = WharfStack.Configuration(baseURL: "https://api.example.com", cache: .memory())
configuration.transport = Service()
let logger = configuration.logger
// snippet.show
// snippet.events
let metrics = CacheMetrics()
configuration.onCacheEvent = { event in
    event.log(to: logger)  // swift-log: hits at trace, failures of the origin as warnings
    metrics.count(event)  // swift-metrics: wharf.cache.requests by outcome and reason
    event.trace()  // swift-distributed-tracing: an event of the current span
    print(event.kind.name, event.reason ?? "-", event.target)
}
// snippet.end
let stack = try await WharfStack.live(configuration)
for _ in 1...2 {
    _ = await stack.client.snapshot(.get("users/1", query: ["key": "secret"], decoding: .text))
}
await stack.close()
#endif

// snippet.output
// Output:
// miss uri-miss https://api.example.com/users/1
// stored - https://api.example.com/users/1
// hit - https://api.example.com/users/1
