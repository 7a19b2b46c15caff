#if Server
internal import WharfCore
internal import WharfStorage

/// The answers of the admin page, as a transport without an origin.
final class AdminSite: Transport {
    private static let pageSize = 50

    private let gateway: GatewayCore
    private let reports: AdminReports
    private let store: (any InspectableCacheStore)?
    private let wallClock: any WallClock

    init(_ gateway: Gateway, store: (any InspectableCacheStore)?, wallClock: any WallClock) {
        self.gateway = gateway.core
        self.store = store
        self.wallClock = wallClock
        reports = AdminReports(gateway: gateway, store: store)
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let answer: AdminAnswer
        do throws(AdminAnswer) {
            let target = AdminTarget(request.head.path ?? "/")
            switch request.head.method {
            case .get, .head: answer = try await get(target)
            case .post:
                try checkSource(request.head.headerFields)
                answer = try await post(target)
            default: throw .notAllowed("GET, HEAD, POST")
            }
        } catch {
            answer = error
        }
        return answer.response(at: wallClock.now())
    }

    private func get(_ target: AdminTarget) async throws(AdminAnswer) -> AdminAnswer {
        switch target.path {
        case "/": .page()
        case "/healthz":
            gateway.connections.isClosing
                ? AdminAnswer(503, "draining: the last requests are answered") : AdminAnswer(200, "ok")
        case "/metrics":
            AdminAnswer(200, "text/plain; version=0.0.4; charset=utf-8", Array(await reports.metrics().utf8))
        case "/state.json": .json(await reports.state())
        case "/entries.json": .json(try await entries(after: try target.number("after")))
        case "/offline", "/online", "/faults/on", "/faults/off", "/entries/remove": throw .notAllowed("POST")
        default: throw .unknown
        }
    }

    private func post(_ target: AdminTarget) async throws(AdminAnswer) -> AdminAnswer {
        switch target.path {
        case "/offline": gateway.configuration.controls.isOffline = true
        case "/online": gateway.configuration.controls.isOffline = false
        case "/faults/on": try switchFaults(true)
        case "/faults/off": try switchFaults(false)
        case "/entries/remove":
            guard let id = try target.number("id") else {
                throw AdminAnswer(400, "expected the id of an entry, found none; use one of /entries.json")
            }
            try await remove(id)
        case "/", "/healthz", "/metrics", "/state.json", "/entries.json": throw .notAllowed("GET, HEAD")
        default: throw .unknown
        }
        return .done
    }

    /// Refuses a request that a page of another site makes.
    ///
    /// A browser says by `Sec-Fetch-Site` which site's page has made the request. It omits the
    /// field for an address that is neither TLS nor loopback, and then `Origin` must be the host
    /// itself. A program that is no browser sends neither.
    private func checkSource(_ fields: HTTPFields) throws(AdminAnswer) {
        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
        switch field("Sec-Fetch-Site") {
        case "same-origin", "none": return
        case nil:
            guard let origin = fields[.origin] else { return }
            // The gateway has set the field from `Host`, which it has checked.
            if let host = field("X-Forwarded-Host").flatMap({ HostName($0) }), origin.hasPrefix("http://"),
                HostName(origin.dropFirst(7)) == host
            {
                return
            }
        default: break
        }
        throw AdminAnswer(403, "the page of another site may not use the switches; use the gateway's own page")
    }

    private func switchFaults(_ isOn: Bool) throws(AdminAnswer) {
        guard gateway.configuration.controls.hasFaults else {
            throw AdminAnswer(409, "there are no faults to switch; start the gateway with a fault plan")
        }
        gateway.configuration.controls.injectsFaults = isOn
    }

    // MARK: Entries

    private func inspectable() throws(AdminAnswer) -> any InspectableCacheStore {
        guard let store else {
            throw AdminAnswer(404, "the entries are not shown; give the admin page the cache's store")
        }
        return store
    }

    private func entries(after use: Int64?) async throws(AdminAnswer) -> EntryPage {
        let store = try inspectable()
        do {
            let entries = try await store.entries(usedBefore: use, limit: Self.pageSize)
            return reports.page(
                entries, next: entries.count < Self.pageSize ? nil : entries.last?.lastUse, at: wallClock.now())
        } catch {
            throw AdminAnswer(500, "could not list the entries: \(error.message)")
        }
    }

    private func remove(_ id: StoredResponse.ID) async throws(AdminAnswer) {
        let store = try inspectable()
        do {
            // The page does not know the key, because its query may be a secret. A used entry is
            // near the front.
            var use: Int64?
            while true {
                let entries = try await store.entries(usedBefore: use, limit: 200)
                if let entry = entries.first(where: { $0.id == id }) {
                    return try await store.remove(id, under: entry.key)
                }
                guard let last = entries.last else { break }
                use = last.lastUse
            }
        } catch {
            throw AdminAnswer(500, "could not remove the entry: \(error.message)")
        }
        throw AdminAnswer(404, "the entry is not kept any more; load the list again")
    }
}

/// The path and the parameters of a request.
struct AdminTarget: Sendable {
    let path: Substring
    private let query: Substring

    init(_ target: String) {
        path = target.prefix { $0 != "?" }
        query = target[path.endIndex...].dropFirst()
    }

    /// Returns a parameter; nil if it is missing.
    func number(_ name: String) throws(AdminAnswer) -> Int64? {
        for part in query.split(separator: "&") where part.hasPrefix("\(name)=") {
            let text = part.dropFirst(name.count + 1)
            guard let number = Int64(text) else {
                throw AdminAnswer(400, "the parameter \(name) is no number; use one of /entries.json")
            }
            return number
        }
        return nil
    }
}
#endif
