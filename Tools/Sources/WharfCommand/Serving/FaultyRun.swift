import Wharf
import WharfFaults
import WharfTestServer

/// One `wharf serve --fault --no-cache`, until it is cancelled.
///
/// Two servers in a chain. The client talks to a proxy, which applies the plan's faults to the
/// connection with real resets and closed ports. A server behind the proxy forwards each request
/// through a transport. So https origins are served in plain HTTP, `Host` is the origin's, and each
/// request gets its own faults.
struct FaultyRun: Sendable {
    let plan: FaultyPlan
    let transport: any Transport
    let surroundings: Surroundings

    func run() async -> ProcessStatus {
        do {
            return try await TestServer.run { front in
                front.forward(to: plan.origin.scheme, plan.origin.authority, by: transport) { error in
                    // A client that disconnects is not a failure of the origin.
                    if error.code != .cancelled { say("wharf: \(error.message)") }
                }
                let report: FaultReportHandler = { tell($0) }
                return try await FaultProxy.run(
                    to: front.authority, plan.injected.faults, seed: plan.injected.seed, at: plan.listen,
                    onReport: report
                ) { proxy in
                    try surroundings.writeOutput(Array("\(proxy.baseURL)\n".utf8))
                    say("serving \(plan.origin.url) without a cache; \(plan.injected.text); Ctrl-C ends it")
                    let (never, _) = AsyncStream.makeStream(of: Never.self)
                    for await _ in never {}
                    say("stopped")
                    return .cancelled
                }
            }
        } catch let error as FaultProxyError {
            say("wharf: --listen: \(error.message)")
            return .usage
        } catch let error as OutputFailure {
            say("wharf: \(error.message)")
            return .outputFailed
        } catch {
            say("wharf: \(error)")
            return .internalError
        }
    }

    private func tell(_ report: FaultReport) {
        switch report.code {
        case .began where report.faults.isEmpty: return
        case .began, .ended:
            guard plan.isVerbose || surroundings.progressColumns() != nil else { return }
            say("\(report.exchange.map { "request \($0): " } ?? "")\(report.message)")
        default: say("wharf: \(report)")
        }
    }

    private func say(_ line: String) { surroundings.writeError(Plain.shown(line) + "\n") }
}
