import WharfGateway

/// The options of a gateway with a cache.
struct GatewayPlan: Sendable {
    var origin: ServeOrigin
    var listen: String
    /// Nil for plain http.
    var certificate: GatewayCertificate?
    /// The address of the admin page; nil for none.
    var admin: String?
    var cache: CachePlan
    /// The faults between the cache and the origin; nil for none.
    var injected: InjectedPlan?
    /// The recording of the origin; nil for none.
    var recording: RecordingPlan?
    var isVerbose: Bool
}

/// The options of a bad network in front of an origin.
struct FaultyPlan: Sendable {
    var origin: ServeOrigin
    var listen: String
    var injected: InjectedPlan
    var isVerbose: Bool
}
