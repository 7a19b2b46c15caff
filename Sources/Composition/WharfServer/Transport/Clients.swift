#if Server
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOPosix
internal import WharfCore

/// One client for the hosts without pins, and one per pinned host. A client separates its
/// connections by host, but does not tell the check of a connection for which host it is.
final class Clients: Sendable {
    /// Whether the client was made by the caller. Its configuration may not suit a transport then.
    let areLent: Bool
    private let pins: PublicKeyPins
    private let usual: HTTPClient
    private let pinned: [PublicKeyPins.Entry: HTTPClient]

    init(_ configuration: HTTPClient.Configuration, _ pins: PublicKeyPins, on group: (any EventLoopGroup)?) {
        let group =
            group ?? (pins == .none ? HTTPClient.defaultEventLoopGroup : MultiThreadedEventLoopGroup.singleton)
        let configuration = configuration.keepingTransportLaws
        self.areLent = false
        self.pins = pins
        self.usual = HTTPClient(eventLoopGroup: group, configuration: configuration)
        let made = pins.entries.map { entry in
            (entry, HTTPClient(eventLoopGroup: group, configuration: configuration.checking(entry)))
        }
        self.pinned = Dictionary(uniqueKeysWithValues: made)
    }

    init(lent client: HTTPClient) {
        self.areLent = true
        self.pins = .none
        self.usual = client
        self.pinned = [:]
    }

    deinit {
        guard !areLent else { return }
        for client in all {
            client.shutdown { _ in
                // After `close()` the error is `alreadyShutdown`. There is no other error, and no
                // caller to report it to.
            }
        }
    }

    func client(for target: Target) throws(TransportError) -> HTTPClient {
        guard let entry = pins.entry(for: target.host), let client = pinned[entry] else { return usual }
        // A pin without TLS can't be checked. The request would go out unpinned.
        guard target.isSecure else {
            throw entry.uncheckable("http proves no key; use https")
        }
        return client
    }

    func shutDown() async {
        guard !areLent else { return }
        for client in all {
            // It throws if the client is shut down already, which is the wanted state.
            do { try await client.shutdown() } catch { continue }
        }
    }

    private var all: [HTTPClient] { [usual] + pinned.values }
}
#endif
