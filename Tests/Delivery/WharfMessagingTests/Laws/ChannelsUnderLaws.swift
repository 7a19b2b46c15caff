import Foundation
import Synchronization
import WharfChecks
import WharfCore
import WharfFakes
import WharfJSON
import WharfMessaging
import WharfMessagingFakes
import WharfMessagingLaws

extension RecordingChannel {
    func underLaws(_ channel: (any MessageChannel)? = nil) -> ChannelLaws.Instance {
        let refused = DeliveryFailure(.rejected, message: "never")
        let down = DeliveryFailure(.unavailable, message: "down")
        return .init(
            channel ?? self, address: "roof 7",
            arrivals: { [self] in
                delivered.map { part in
                    let bytes = Array("\(part.address)|\(part.title)|\(part.body)|\(part.key.text)".utf8)
                    return .init(
                        address: part.address, title: part.title, body: part.body, key: part.key.text, bytes: bytes)
                }
            },
            set: { [self] condition in
                switch condition {
                case .working: answer(.delivered)
                case .busy: answer(.retry(down))
                case .refusing: answer(.rejected(refused))
                }
            })
    }
}

enum ChannelsUnderLaws {
    static let all: [ChannelLaws.Subject] = [
        .init("RecordingChannel") {
            RecordingChannel("pigeon", limits: ChannelLimits(body: TextLimit(300, .scalars))).underLaws()
        },
        .init("EmailChannel") { try email() },
        .init("GatewayChannel") { try gateway() },
        .init("StandardOutputChannel") { standardOutput() },
    ]

    private static func email() throws -> ChannelLaws.Instance {
        let outgoing = Outgoing()
        return .init(
            try outgoing.channel(), address: "ada@example.com",
            arrivals: {
                try outgoing.messages.map { bytes in
                    let message = try StrictMessage(bytes)
                    return .init(
                        address: try message.mailbox("To").address, title: try message.subject ?? "",
                        body: message.bodyText, key: message["Message-ID"], bytes: bytes)
                }
            },
            set: { outgoing.exit(.init(code: $0 == .working ? 0 : $0 == .busy ? 75 : 67)) },
            read: { ($0.title, $0.mailText) })
    }

    private static func gateway() throws -> ChannelLaws.Instance {
        let condition = Mutex(ChannelLaws.Condition.working)
        let taken = Mutex<[TransportRequest]>([])
        let transport = StubTransport { request in
            switch condition.withLock({ $0 }) {
            case .busy: return .respond(.serviceUnavailable)
            case .refusing: return .respond(.badRequest)
            case .working:
                taken.withLock { $0.append(request) }
                return .ok("{}")
            }
        }
        let template = try GatewayTemplate(
            .post, "https://chat.example.com/post?to={{address}}",
            body: .json(#"{"title": "{{title}}", "text": "{{body}}"}"#))
        return .init(
            GatewayChannel(
                "chat", template, limits: ChannelLimits(body: TextLimit(4_000, .utf16)), transport: transport),
            address: "@ada",
            arrivals: {
                try taken.withLock { $0 }.map { request in
                    guard case .bytes(let bytes) = request.body else { throw Broken("no bytes") }
                    let document = try JSON.decode([String: String].self, from: bytes)
                    let query = (request.head.path ?? "").drop { $0 != "?" }.dropFirst()
                    return .init(
                        address: query.dropFirst(3).removingPercentEncoding ?? "", title: document["title"] ?? "",
                        body: document["text"] ?? "",
                        key: request.head.headerFields.first { $0.name.canonicalName == "idempotency-key" }?.value,
                        bytes: bytes)
                }
            },
            set: { new in condition.withLock { $0 = new } })
    }

    /// Standard output can't refuse a message.
    private static func standardOutput() -> ChannelLaws.Instance {
        let pipe = Pipe()
        let written = Mutex("")
        return .init(
            StandardOutputChannel(descriptor: pipe.fileHandleForWriting.fileDescriptor), address: "ada",
            conditions: [.working],
            arrivals: {
                // Waits for the written bytes.
                written.withLock { $0 += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self) }
                return messages(written.withLock { $0 })
            },
            set: { _ in }, read: { (shown($0.title, keeping: ""), shown($0.body, keeping: "\t\n")) })
    }

    private static func messages(_ text: String) -> [ChannelLaws.Arrival] {
        var messages: [[String]] = []
        for line in text.components(separatedBy: "\n").dropLast() {
            if line.utf8.starts(with: "To: ".utf8) { messages.append([]) }
            messages[messages.count - 1].append(line)
        }
        return messages.map { lines in
            // Splits by scalars, as a combining mark would merge with the character before it.
            let address = String(lines[0].unicodeScalars.dropFirst(4))
            let isNamed = address.hasSuffix(">")
            let title = lines.dropFirst().first { $0.utf8.first != 9 } ?? ""
            let body = lines.filter { $0.utf8.first == 9 }.map { String($0.unicodeScalars.dropFirst()) }
            return .init(
                address: isNamed ? String(address.dropLast().suffix(3)) : address, title: title,
                body: body.joined(separator: "\n"), key: nil, bytes: Array(lines.joined(separator: "\n").utf8))
        }
    }

    private static func shown(_ text: String, keeping kept: String) -> String {
        text.unicodeScalars.map { scalar in
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            return isControl && !kept.unicodeScalars.contains(scalar)
                ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : "\(scalar)"
        }.joined()
    }
}
