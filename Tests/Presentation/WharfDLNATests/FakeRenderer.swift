import Synchronization
import WharfCore
import WharfFakes
import WharfPlayback

@testable import WharfDLNA

/// A renderer without a network, with quirks of real ones.
final class FakeRenderer: Sendable {
    struct Habits: Sendable {
        /// It answers 701 to a seek or a pause while it does not play, and to a stop while nothing
        /// plays.
        var isStrict = true
        /// The number of seeks that are accepted and forgotten, as by gmediarender while it has no
        /// data.
        var forgottenSeeks = 0
        /// The time for which it reports the position of a forgotten seek, as gmediarender does.
        var pretence = Duration.zero
        /// The number of readings after a play in which it is in transition.
        var transitions = 0
        /// It answers 705 to a new item while it plays.
        var keepsItsItem = false
        /// It never reports its position.
        var hidesPosition = false
        /// It reports URLs in a normalised spelling of its own.
        var respells = false
        /// The interval of the positions at which videos can be entered.
        var keyFrames: Duration?
    }

    enum Presence: Sendable { case there, gone, hanging }

    struct Content: Sendable {
        var habits: Habits
        var presence = Presence.there {
            willSet { hanging.open() }
            didSet { hanging = Gate() }
        }
        /// Holds unanswered requests until the presence changes. Then they are lost.
        var hanging = Gate()
        var state = "NO_MEDIA_PRESENT"
        var status = "OK"
        var uri = ""
        var metadata = ""
        var base: (position: Duration, at: Duration) = (.zero, .zero)
        var pretended: (position: Duration, until: Duration) = (.zero, .zero)
        var transition = 0
        var faults: [String: Int] = [:]
        var bodies: [String: StubAnswer] = [:]
        var orders: [String] = []
    }

    let clock: TestClock
    let duration: Duration
    let content: Mutex<Content>
    static let location = "http://192.0.2.7:49494/description.xml"

    init(_ habits: Habits = Habits(), clock: TestClock = TestClock(), duration: Duration = .seconds(100)) {
        self.clock = clock
        self.duration = duration
        content = Mutex(Content(habits: habits))
    }

    /// The orders so far, without queries.
    var orders: [String] { content.withLock { $0.orders } }

    var hanging: Gate { content.withLock { $0.hanging } }

    var uri: String { content.withLock { $0.uri } }

    /// - Parameter timer: measures the duration of an answer.
    func transport(timer: any Clock<Duration>) -> StubTransport {
        StubTransport(timer: timer) { [self] request in await answer(request) }
    }

    /// - Parameter timing: by default without confirmation, so that a load at a position takes no
    ///   time.
    func screen(timing: DLNATiming = DLNATiming(confirmation: .zero)) async throws -> DLNAScreen {
        try await DLNAScreen.at(Self.location, transport: transport(timer: clock), timing: timing, clock: clock)
    }

    /// Changes its state, as if another controller did.
    func set(_ change: (inout Content) -> Void) { content.withLock { change(&$0) } }

    func answer(_ request: TransportRequest) async -> StubAnswer {
        let presence = content.withLock { $0.presence }
        switch presence {
        case .there: break
        case .gone: return .failure(.connectionFailed)
        case .hanging: return .failure(.connectionLost).held(by: content.withLock { $0.hanging })
        }
        if request.head.method == .get { return .ok(Samples.description) }
        guard case .bytes(let body) = request.body,
            let action = try? Markup.read(body, from: "a test").child("Body")?.children.first,
            let name = request.head.headerFields[.init("SOAPAction")!]?.split(separator: "#").last?.dropLast(),
            name == action.name
        else { return .respond(.badRequest) }
        return content.withLock { content in
            if let body = content.bodies[action.name] { return body }
            var arguments: [String: String] = [:]
            for child in action.children { arguments[child.name] = child.text }
            if !action.name.hasPrefix("Get") {
                content.orders.append(([action.name] + [arguments["Target"]].compactMap(\.self)).joined(separator: " "))
            }
            if let code = content.faults[action.name] { return Samples.fault(code) }
            return perform(action.name, arguments, &content)
        }
    }

    private func perform(_ name: String, _ arguments: [String: String], _ content: inout Content) -> StubAnswer {
        guard arguments["InstanceID"] == "0" else { return Samples.fault(718) }
        let plays = content.state == "PLAYING" || content.state == "PAUSED_PLAYBACK"
        switch name {
        case "SetAVTransportURI":
            if content.habits.keepsItsItem, plays { return Samples.fault(705) }
            content.uri = arguments["CurrentURI"] ?? ""
            content.metadata = arguments["CurrentURIMetaData"] ?? ""
            content.base = (.zero, clock.now.offset)
            if !plays { content.state = "STOPPED" }
        case "Play":
            guard !content.uri.isEmpty else { return Samples.fault(701) }
            content.base = (position(content), clock.now.offset)
            content.state = "PLAYING"
            content.transition = content.habits.transitions
        case "Pause":
            guard content.state == "PLAYING", content.transition == 0 else { return Samples.fault(701) }
            content.base = (position(content), clock.now.offset)
            content.state = "PAUSED_PLAYBACK"
        case "Seek":
            guard plays && content.transition == 0 || !content.habits.isStrict else { return Samples.fault(701) }
            guard let target = arguments["Target"].flatMap(RelativeTime.parse) else { return Samples.fault(711) }
            if content.habits.forgottenSeeks > 0 || !plays {
                content.habits.forgottenSeeks -= 1
                content.pretended = (target, clock.now.offset + content.habits.pretence)
            } else {
                var target = target
                if let frame = content.habits.keyFrames { target = frame * Int(target / frame) }
                content.base = (target, clock.now.offset)
            }
        case "Stop":
            guard plays || !content.habits.isStrict else { return Samples.fault(701) }
            content.state = "STOPPED"
            content.base = (.zero, clock.now.offset)
        case "GetTransportInfo": return transportInfo(&content)
        case "GetPositionInfo": return positionInfo(content)
        default: return Samples.fault(401)
        }
        return Samples.answer(name, [:])
    }

    private func transportInfo(_ content: inout Content) -> StubAnswer {
        var state = content.state
        if content.transition > 0 {
            content.transition -= 1
            state = "TRANSITIONING"
        } else if state == "PLAYING", position(content) >= duration {
            content.state = "STOPPED"
            state = "STOPPED"
            content.base = (duration, clock.now.offset)
        }
        return Samples.answer(
            "GetTransportInfo",
            ["CurrentTransportState": state, "CurrentTransportStatus": content.status, "CurrentSpeed": "1"])
    }

    private func positionInfo(_ content: Content) -> StubAnswer {
        let time = content.habits.hidesPosition ? "NOT_IMPLEMENTED" : RelativeTime.print(reportedPosition(content))
        let uri = content.habits.respells ? content.uri + "#here" : content.uri
        return Samples.answer(
            "GetPositionInfo",
            [
                "TrackDuration": RelativeTime.print(content.uri.isEmpty ? .zero : duration), "TrackURI": uri,
                "TrackMetaData": content.habits.respells ? "" : content.metadata, "RelTime": time,
                "AbsTime": "NOT_IMPLEMENTED",
            ])
    }

    private func reportedPosition(_ content: Content) -> Duration {
        clock.now.offset < content.pretended.until ? content.pretended.position : position(content)
    }

    func position(_ content: Content) -> Duration {
        let elapsed = content.state == "PLAYING" ? clock.now.offset - content.base.at : .zero
        return min(content.base.position + elapsed, duration)
    }
}
