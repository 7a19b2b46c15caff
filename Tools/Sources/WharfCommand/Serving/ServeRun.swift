import Wharf
import WharfFaults
import WharfTestServer

/// One `wharf serve`, until it is cancelled.
///
/// Two servers behind each other: the client talks to a proxy, which does to its connection what
/// the plan says with real resets and closed ports; behind it a server forwards each request
/// through a transport. So https origins are served in the clear, `Host` is the origin's, and each
/// request is decided by itself.
struct ServeRun: Sendable {
    let plan: ServePlan
    let transport: any Transport
    let surroundings: Surroundings

    func run() async -> ProcessStatus {
        do {
            return try await TestServer.run { front in
                front.forward(to: plan.scheme, plan.authority, by: transport) { error in
                    // That a client leaves is no failure of the origin's.
                    if error.code != .cancelled { say("wharf: \(error.message)") }
                }
                let report: FaultReportHandler = { tell($0) }
                return try await FaultProxy.run(
                    to: front.authority, plan.faults, seed: plan.seed, at: plan.listen, onReport: report
                ) { proxy in
                    try surroundings.writeOutput(Array("\(proxy.baseURL)\n".utf8))
                    let faults = plan.faults.faults.isEmpty ? "none" : plan.faults.description
                    say(
                        "serving \(plan.scheme)://\(plan.authority); faults: \(faults); seed: \(plan.seed); Ctrl-C ends it"
                    )
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

    private func say(_ line: String) { surroundings.writeError(Plain.line(line) + "\n") }
}
