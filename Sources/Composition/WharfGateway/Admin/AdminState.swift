internal import WharfCore
internal import WharfJSON
internal import WharfStorage

/// The state that the admin page shows.
struct AdminState: Sendable, JSONEncodable {
    let url: String
    let origin: String
    let isOffline: Bool
    let isDraining: Bool
    /// Nil if there are no faults to switch.
    let injectsFaults: Bool?
    let uptime: Duration
    let counts: GatewayActivity.Counts
    let sentBytes: Int64
    let connections: Int
    let liveCount: Int
    let live: [(request: LiveRequest, age: Duration)]
    /// Nil if the store is not shown.
    let store: Result<CacheStatistics, StoreError>?

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("url", url)
        json.field("origin", origin)
        json.field("isOffline", isOffline)
        json.field("isDraining", isDraining)
        json.fieldIfPresent("injectsFaults", injectsFaults)
        json.field("uptime", uptime / .seconds(1))
        json.field("sentBytes", sentBytes)
        json.field("connections", connections)
        json.field("liveCount", liveCount)
        json.key("answers")
        json.beginObject()
        for source in AnswerSource.allCases {
            json.key(text: source.rawValue)
            json.integer(counts.total(source))
            json.endField()
        }
        json.endObject()
        json.endField()
        json.key("live")
        json.beginArray()
        for (request, age) in live {
            encode(request, age, into: &json)
            json.endField()
        }
        json.endArray()
        json.endField()
        switch store {
        case .success(let store):
            json.key("store")
            json.beginObject()
            json.field("entries", store.entryCount)
            json.field("bytes", store.byteCount)
            json.fieldIfPresent("byteLimit", store.byteLimit)
            json.endObject()
            json.endField()
        case .failure(let error): json.field("storeError", error.message)
        case nil: break
        }
        json.endObject()
    }

    private func encode(_ request: LiveRequest, _ age: Duration, into json: inout JSONWriter) {
        let answer = request.answer
        json.beginObject()
        json.field("method", request.method)
        json.field("path", request.path)
        json.field("age", age / .seconds(1))
        json.field("sentBytes", request.sentBytes)
        json.fieldIfPresent("status", answer?.status.code)
        json.fieldIfPresent("cache", answer?.source.rawValue)
        json.endObject()
    }
}
