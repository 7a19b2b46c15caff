import AsyncHTTPClient
import NIOCore
import Wharf
import WharfCache
import WharfContentCoding
import WharfFaults
import WharfGateway
import WharfRecording
import WharfSQLite
import WharfServer
import WharfStorage

/// One `wharf serve` with a cache, until it is cancelled.
struct GatewayRun: Sendable {
    private let plan: GatewayPlan
    private let surroundings: Surroundings
    /// Whether each exchange is told. It is queried once, because the query is a system call.
    private let tellsExchanges: Bool

    init(plan: GatewayPlan, surroundings: Surroundings) {
        self.plan = plan
        self.surroundings = surroundings
        tellsExchanges = plan.isVerbose || surroundings.progressColumns() != nil
    }

    func run() async -> ProcessStatus {
        let store: any InspectableCacheStore
        do throws(StoreError) {
            store = try await openStore()
        } catch {
            say("wharf: --cache: \(error.message)")
            return .usage
        }
        let transport = AsyncHTTPClientTransport(configuration: .gateway, wallClock: surroundings.clock)
        let status: ProcessStatus
        do throws(RecordingError) {
            status = await serve(store, try recorded(transport))
        } catch {
            say("wharf: \(plan.recording?.option ?? ""): \(error.message)")
            status = .usage
        }
        // After the requests, which use both.
        await transport.close()
        do throws(StoreError) {
            if let store = store as? SQLiteCacheStore { try await store.close() }
        } catch {
            say("wharf: \(error.message)")
        }
        return status
    }

    private func openStore() async throws(StoreError) -> any InspectableCacheStore {
        guard let path = plan.cache.file else { return MemoryCacheStore(byteLimit: plan.cache.maxBytes) }
        return try await SQLiteCacheStore.open(at: path, byteLimit: Int64(plan.cache.maxBytes), onIncident: tell)
    }

    private func serve(_ store: any InspectableCacheStore, _ transport: any Transport) async -> ProcessStatus {
        let controls = GatewayControls(isOffline: plan.cache.isOffline, hasFaults: plan.injected != nil)
        let caching = CachingTransport(
            ContentCheckingTransport(faulty(transport, controls)), store: store,
            configuration: plan.cache.configuration,
            clock: surroundings.clock, onIncident: tell)
        do {
            let gateway = try await gateway(caching, controls)
            let admin = try await admin(gateway, store)
            // Before the greeting: a SIGHUP after it must not end the command.
            renewCertificateAtHangup(of: gateway)
            defer { surroundings.hangup.set(nil) }
            try surroundings.writeOutput(Array("\(gateway.url)\n".utf8))
            greet(admin)
            try await run(gateway, admin)
            say("stopped")
            return .cancelled
        } catch let error as OptionError {
            say("wharf: \(error.option): \(error.cause.message)")
            return .usage
        } catch let error as OutputFailure {
            say("wharf: \(error.message)")
            return .outputFailed
        } catch {
            say("wharf: \(error)")
            return .internalError
        }
    }

    /// Returns the transport to the origin, or to its recording.
    ///
    /// The recording is below the faults, so that it has the answers of the origin alone.
    private func recorded(_ transport: any Transport) throws(RecordingError) -> any Transport {
        switch plan.recording {
        case nil: return transport
        case .record(let file): return try RecordingTransport(over: PlainAnswers(base: transport), into: file)
        case .replay(let file):
            var configuration = ReplayTransport.Configuration(clock: surroundings.clock)
            // Clients repeat requests, and a cache that was emptied does too.
            configuration.repeatsLast = true
            return try ReplayTransport(file, configuration: configuration)
        }
    }

    /// Returns the transport to the origin, with the faults.
    ///
    /// They are below the cache. So the client sees a bad network through the cache.
    private func faulty(_ transport: any Transport, _ controls: GatewayControls) -> any Transport {
        guard let injected = plan.injected else { return transport }
        let faulty = FaultyTransport(
            transport, injected.faults, seed: injected.seed, wallClock: surroundings.clock, onReport: { tell($0) })
        return SwitchedTransport(plain: transport, faulty: faulty, controls: controls)
    }

    // MARK: Servers

    /// An error of a server, with the option that it is about.
    private struct OptionError: Error {
        let option: String
        let cause: GatewayError
    }

    private func gateway(_ transport: any Transport, _ controls: GatewayControls) async throws(OptionError) -> Gateway {
        var configuration = GatewayConfiguration(address: plan.listen)
        configuration.certificate = plan.certificate
        // A private cache keeps answers to requests with credentials, for its only user.
        configuration.account = plan.cache.isPrivate ? Account("wharf") : nil
        configuration.controls = controls
        // `Interrupts` ends the process after five seconds.
        configuration.drainLimit = .seconds(4)
        configuration.onExchange = { tell($0) }
        do throws(GatewayError) {
            return try await Gateway(
                origin: plan.origin.url, transport: transport, configuration: configuration,
                wallClock: surroundings.clock)
        } catch {
            throw OptionError(option: error.code == .invalidCertificate ? "--certificate" : "--listen", cause: error)
        }
    }

    private func admin(
        _ gateway: Gateway, _ store: any InspectableCacheStore
    ) async throws(OptionError) -> GatewayAdmin? {
        guard let address = plan.admin else { return nil }
        do throws(GatewayError) {
            return try await GatewayAdmin(
                address: address, gateway: gateway, store: store, wallClock: surroundings.clock)
        } catch {
            throw OptionError(option: "--admin", cause: error)
        }
    }

    /// Reads the files of the certificate again at each SIGHUP, as nginx and HAProxy do.
    private func renewCertificateAtHangup(of gateway: Gateway) {
        guard let certificate = plan.certificate else { return }
        surroundings.hangup.set {
            do throws(GatewayError) {
                let expiresAt = try gateway.replaceCertificate(with: certificate)
                say("loaded the certificate in \(certificate.chain); it expires at \(Plain.time(expiresAt))")
            } catch {
                say("wharf: --certificate: \(error.message); the old certificate is served on")
            }
        }
    }

    private func greet(_ admin: GatewayAdmin?) {
        let owner = plan.cache.isPrivate ? "private" : "shared"
        let parts = [
            "serving \(plan.origin.url)",
            "\(owner) cache: \(plan.cache.file ?? "in memory")\(plan.cache.isOffline ? ", offline" : "")",
            plan.injected?.text, plan.recording?.text, admin.map { "admin page: \($0.url)" }, "Ctrl-C ends it",
        ]
        say(parts.compactMap(\.self).joined(separator: "; "))
    }

    private func run(_ gateway: Gateway, _ admin: GatewayAdmin?) async throws {
        // Tasks of their own: the interrupt would cancel them, and requests in flight would break
        // off. The admin page ends last, so that it can show the end of the gateway.
        let administering = admin.map { admin in Task { try await admin.run() } }
        let running = Task { try await gateway.run() }
        let outcome = await withTaskCancellationHandler {
            await running.result
        } onCancel: {
            gateway.shutDown()
        }
        admin?.shutDown()
        try await administering?.value
        try outcome.get()
    }

    // MARK: Reports

    private func tell(_ incident: Incident) {
        // A body too large for the cache is passed on all the same.
        guard incident.code != .notKept else { return }
        say("wharf: \(incident.message)")
    }

    private func tell(_ exchange: GatewayExchange) {
        if let failure = exchange.failure { say("wharf: \(failure.message)") }
        guard tellsExchanges else { return }
        let cache = exchange.cacheStatus.map { "; " + $0.fieldValue(cache: "cache") } ?? ""
        say(
            "\(exchange.method.isEmpty ? "malformed" : "\(exchange.method) \(exchange.path)"): \(exchange.status.code)\(cache)"
        )
    }

    private func tell(_ report: FaultReport) {
        guard !report.faults.isEmpty, tellsExchanges else { return }
        say("\(report.exchange.map { "request \($0) to the origin: " } ?? "")\(report.message)")
    }

    private func say(_ line: String) { surroundings.writeError(Plain.shown(line) + "\n") }
}

extension HTTPClient.Configuration {
    /// The timeouts and connections to an origin behind a gateway.
    fileprivate static var gateway: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(timeout: Timeout(connect: .seconds(10), read: .seconds(60)))
        // The default of eight would let one slow path hold up the others.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        return configuration
    }
}
