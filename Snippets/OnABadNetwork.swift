// Article A, "Offline and the Network Conditioner": a service that first fails half of the time and
// is then unreachable, in a repeatable way.

// snippet.hide
import Wharf
import WharfCache
import WharfFaults

// The service always answers; only the network fails.
struct Service: Transport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .ok, headerFields: [.cacheControl: "max-age=0"]),
            body: BodyStream(Array("Leanne Graham".utf8)),
            provenance: Provenance(source: .network, asOf: SystemWallClock().now()))
    }
}

// snippet.show
// snippet.plan
let plan: FaultPlan = [
    .status(.serviceUnavailable).from(2).with(probability: 0.5),  // half of the answers, except the first
    .down.from(5),  // unreachable from the fifth request on
]
let network = FaultyTransport(Service(), plan, seed: 7)
// snippet.end

// snippet.reads
let client = APIClient(
    environment: try APIEnvironment("https://api.example.com"),
    transport: CachingTransport(network, store: MemoryCacheStore(byteLimit: 1 << 20), onIncident: { print($0.message) })
)
for read in 1...6 {
    let snapshot = await client.snapshot(.get("users/1", decoding: .text))
    let error = snapshot.error.map { "\($0.code)" } ?? "none"
    print("\(read): \(snapshot.value ?? "nothing") from \(snapshot.kept?.source.name ?? "nowhere"), error: \(error)")
}
// snippet.end

// snippet.message
do throws(TransportError) {
    let head = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/users/1")
    _ = try await network.send(TransportRequest(head))
} catch {
    print(error.message)
}
// snippet.end

// snippet.text
let written = try FaultPlan(parsing: "3g;reset@512,p=30%;down,after=5s,until=20s")
print(written)
// snippet.end

// snippet.output
// Output:
// 1: Leanne Graham from network, error: none
// 2: Leanne Graham from httpCache, error: status
// 3: Leanne Graham from network, error: none
// 4: Leanne Graham from httpCache, error: status
// 5: Leanne Graham from httpCache, error: connectionFailed
// 6: Leanne Graham from httpCache, error: connectionFailed
// the connection was refused (fault injected by seed 7, exchange 7: down,from=5; the same seed repeats it)
// latency=100ms,to=server;latency=100ms;bandwidth=330kbps,to=server;bandwidth=780kbps;reset@512,p=0.3;down,after=5s,until=20s
