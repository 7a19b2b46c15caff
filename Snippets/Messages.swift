// Article D, "Fun with protocols": the sending code does not depend on the channel. Some recipients
// get e-mail, some a short message, a hipster a pigeon. A test sends nothing.

// snippet.hide
import Synchronization
import WharfCore
import WharfFakes
import WharfMessaging
import WharfMessagingFakes
import WharfOutbox
import WharfRandom
import WharfStores

let clock = TestClock()
let mailed = Mutex<[String]>([])
let flown = Mutex<[String]>([])
/// The gateway refuses messages to this number.
let gateway = StubTransport { _ in .respond(.badRequest, "no such number") }
// snippet.show
// snippet.person
/// Invites people, and does not depend on a channel.
struct Person {
    let messenger: Messenger

    func invite(_ friends: Recipient...) async throws -> [SentMessage] {
        try await messenger.send(Message(title: "Lunch", body: "At noon in the harbour, as always?"), to: friends)
    }
}

let cesar = Recipient(
    id: "cesar", name: "César", addresses: ["email": "cesar@example.com"], preference: .all("email"))
let jodelle = Recipient(
    id: "jodelle", name: "Jodelle", addresses: ["sms": "+358401", "email": "jodelle@example.com"],
    preference: .first(of: "sms", "email"))
let hipster = Recipient(id: "hipster", addresses: ["pigeon": "roof 7"], preference: .all("pigeon"))
// snippet.end

// snippet.pigeon
/// A new channel is one type, and no other type changes.
struct Pigeon: MessageChannel {
    let name = "pigeon"
    let limits = ChannelLimits(title: TextLimit.none, body: TextLimit(24, .scalars), overflow: .split(atMost: 3))

    func deliver(_ part: MessagePart) async -> Delivery.Verdict {
        flown.withLock { $0.append("to \(part.address): \(part.body.debugDescription)") }
        return .delivered
    }
}
// snippet.end

// snippet.channels
let email = EmailChannel(
    from: Mailbox(try EmailAddress("wharf@example.com"), name: "Wharf"),
    // With the trait `Sendmail` it is Sendmail("/usr/sbin/sendmail"), which runs the program.
    sendmail: Sendmail { _, _, message in
        mailed.withLock { $0.append(String(decoding: message, as: UTF8.self)) }
        return Sendmail.Exit(code: 0)
    })
let sms = GatewayChannel(
    "sms", try GatewayTemplate(.post, "https://sms.example.com/send", body: .form("to={{address}}&text={{body}}")),
    limits: ChannelLimits(title: TextLimit.none, body: TextLimit(160, .septets), rate: RateLimit(1, per: .seconds(1))),
    transport: gateway)

let outbox = OutboxEngine(
    store: MemoryWriteStore(),
    destinations: [ChannelDestination(email), ChannelDestination(sms), ChannelDestination(Pigeon())],
    configuration: .init(clock: clock.wall, timer: clock, random: SeededGenerator(seed: 7)))
// snippet.end

// snippet.send
let me = Person(messenger: Messenger(outbox: outbox, clock: clock.wall))
let sent = try await me.invite(cesar, jodelle, hipster)  // on the disk, if the store has one

_ = try await outbox.drain()  // a drain delivers once; start() delivers from now on
let outcome = try await me.messenger.outcome(of: sent[1])
print("\(outcome.sent.recipient): by \(outcome.delivered)")
for (channel, failure) in outcome.failures { print("not by \(channel): \(failure.message)") }
// snippet.end

// snippet.hide
let map: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
let menu: [UInt8] = [0x25, 0x50, 0x44, 0x46]
// snippet.show
// snippet.email
var invitation = Message(title: "Lunch", body: "At noon in the harbour, as always?")
invitation.email.html = #"<p>At noon in the <b>harbour</b>?</p><img src="cid:map@example.com">"#
invitation.email.attachments = [
    EmailAttachment("map.png", type: "image/png", map, contentID: "map@example.com"),
    EmailAttachment("Menü.pdf", type: "application/pdf", menu),
]
invitation.email.bcc = [Mailbox(try EmailAddress("archive@example.com"))]
try await me.messenger.send(invitation, to: cesar)
// snippet.end

// snippet.hide
for message in mailed.withLock({ $0 }).sorted() {
    for line in message.split(separator: "\n") where line.hasPrefix("To:") || line.hasPrefix("At") { print(line) }
}
for flight in flown.withLock({ $0 }) { print(flight) }
// snippet.show

// snippet.test
// A test sends no message.
let recorder = RecordingChannel("email")
let quiet = OutboxEngine(
    store: MemoryWriteStore(), destinations: [ChannelDestination(recorder)],
    configuration: .init(clock: clock.wall, timer: clock))
_ = try await Person(messenger: Messenger(outbox: quiet, clock: clock.wall)).invite(cesar)
_ = try await quiet.drain()
print(recorder.delivered.map { "\($0.title) to \($0.name)" })
// snippet.end

// Output:
// jodelle: by ["email"]
// not by sms: the receiver responded with status 400 Bad Request
// To: "Jodelle" <jodelle@example.com>
// At noon in the harbour, as always?
// To: =?UTF-8?B?Q8Opc2Fy?= <cesar@example.com>
// At noon in the harbour, as always?
// to roof 7: "(1/3) Lunch\nAt noon in "
// to roof 7: "(2/3) the harbour, as "
// to roof 7: "(3/3) always?"
// ["Lunch to César"]
