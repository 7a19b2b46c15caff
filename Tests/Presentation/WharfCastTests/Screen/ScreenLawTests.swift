import Testing
import WharfChecks
import WharfFakes
import WharfJSON
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

@Suite struct ScreenLawTests {
    @Test(arguments: ScreenLaws.all)
    func castScreenKeepsLaw(law: Law<ScreenLaws.Subject>) async throws {
        let opened = Receivers()
        do {
            try await law.check(.init("CastScreen") { try await opened.next().underLaws() })
            await opened.close()
        } catch {
            await opened.close()
            throw error
        }
    }

    private actor Receivers {
        private var all: [CastReceiver] = []

        func next() async throws -> CastReceiver {
            let receiver = CastReceiver(clock: TestClock())
            all.append(receiver)
            try await receiver.listen()
            return receiver
        }

        func close() async {
            for receiver in all { await receiver.vanish() }
        }
    }
}

extension CastReceiver {
    fileprivate func underLaws() -> ScreenLaws.Instance {
        .init(
            screen(),
            device: { self.shown },
            remote: { command in
                self.act { world, now in
                    let (type, fields) = Self.button(command)
                    return world.remote(type, fields, at: now)
                }
            },
            leave: { await self.vanish() },
            comeBack: {
                do { try await self.listen() } catch { Issue.record(error, "the receiver could not listen again") }
            },
            hang: { self.hang() })
    }

    private static func button(_ command: PlaybackCommand) -> (String, [JSONMember]) {
        switch command {
        case .pause: ("PAUSE", [])
        case .seek(let position): ("SEEK", [JSONMember("currentTime", position.castSeconds)])
        case .stop: ("STOP", [])
        default: ("PLAY", [])
        }
    }

    /// The state shown on the television.
    private var shown: PlaybackState {
        guard let playing, let media = playing["media"], let url = media["contentId"]?.text,
            let id = media["customData"]?["itemID"]?.text
        else { return .idle }
        return PlaybackState(
            playing["playerState"] == "PLAYING" ? .playing : .paused,
            item: MediaItem(id: id, url: url, contentType: media["contentType"]?.text ?? ""),
            position: Duration(castSeconds: playing["currentTime"]) ?? .zero)
    }
}
