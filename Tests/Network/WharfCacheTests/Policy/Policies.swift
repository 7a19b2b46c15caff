import WharfCache
import WharfCore
import WharfStorage

/// The time at which the tables of these tests take place.
let noon = WallTime(secondsSince1970: 1_000_000_000)

/// The field `CDN-Cache-Control`.
let cdn = HTTPField.Name("CDN-Cache-Control") ?? .cacheControl

func date(_ offset: Int64 = 0) -> String { (noon + .seconds(offset)).httpDate }

/// A response that arrived at ``noon``, by default without delay.
func stored(
    _ fields: HTTPFields, status: HTTPResponse.Status = .ok, varying: HTTPFields = [:], delay: Duration = .zero
) -> StoredHead {
    StoredHead(
        response: HTTPResponse(status: status, headerFields: fields), varying: varying, requestedAt: noon - delay,
        respondedAt: noon
    )
}

func get(
    _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get, path: String = "/a", account: Account? = nil,
    from site: String? = nil, cache: CacheMode = .normal, timeout: Duration? = nil
) -> TransportRequest {
    var request = TransportRequest(
        HTTPRequest(method: method, scheme: "https", authority: "example.com", path: path, headerFields: fields),
        account: account, cache: cache, timeout: timeout
    )
    request.topLevelSite = site.map(TopLevelSite.init)
    return request
}

/// The facts that the policy uses about a request, or nil if the request is not cacheable.
func facts(
    _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get, path: String = "/a", account: Account? = nil,
    _ configuration: CacheConfiguration = .privateClient
) -> RequestFacts? {
    guard
        case .cacheable(let facts) = RequestScope.of(
            get(fields, method: method, path: path, account: account), configuration)
    else {
        return nil
    }
    return facts
}
