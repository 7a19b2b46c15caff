internal import Foundation
internal import WharfCore
internal import WharfPlayback

/// A device's description, as far as playback needs it.
///
/// See UPnP Device Architecture 2.0, section 2.3.
struct DeviceDescription: Sendable, Equatable {
    /// The type of a service, with its version, and the URL for its actions.
    struct Service: Sendable, Hashable {
        let type: String
        let control: URL
    }

    /// The `UDN`, which stays the same when the address changes.
    let id: String
    let name: String
    let transport: Service

    /// - Parameter location: the URL of the description. Relative URLs are resolved against it if
    ///   there is no `URLBase`.
    /// - Throws: `malformed` for an invalid description, or one whose control URL is on another
    ///   host; `refused` if no device in it can play.
    init(_ bytes: [UInt8], from location: URL) throws(PlaybackError) {
        let root = try Markup.read(bytes, from: location.redacted)
        guard let device = root.first("device") else {
            throw PlaybackError(
                .malformed,
                "expected the element device in the description at \(location.redacted), found \(root.name)")
        }
        guard let player = Self.player(in: device) else {
            throw PlaybackError(
                .refused,
                "expected a device with the service AVTransport at \(location.redacted), found \(device["friendlyName"] ?? "none")"
            )
        }
        guard let id = player["UDN"], !id.isEmpty else {
            throw PlaybackError(.malformed, "the description at \(location.redacted) has no UDN")
        }
        // `URLBase` is deprecated since version 1.1, but devices still send it.
        let base = root["URLBase"].flatMap { $0.isEmpty ? nil : URL(string: $0, relativeTo: location) } ?? location
        guard let transport = Self.service("AVTransport", of: player, base: base) else {
            throw PlaybackError(
                .malformed,
                "the description at \(location.redacted) has no control URL of AVTransport")
        }
        // A description could otherwise direct the commands of the user to another host.
        guard transport.control.host()?.lowercased() == location.host()?.lowercased() else {
            throw PlaybackError(
                .malformed,
                "expected the control URL of AVTransport at the host of the description at \(location.redacted), found "
                    + "\(transport.control.redacted); use the address that the device itself announces")
        }
        self.id = id
        self.name = player["friendlyName"].flatMap { $0.isEmpty ? nil : $0 } ?? id
        self.transport = transport
    }

    /// Returns the device itself, or else its first embedded device with AVTransport.
    private static func player(in device: Markup) -> Markup? {
        if services(of: device).contains(where: { isType($0["serviceType"], "AVTransport") }) { return device }
        for child in device.child("deviceList")?.children ?? [] {
            if let found = player(in: child) { return found }
        }
        return nil
    }

    private static func services(of device: Markup) -> [Markup] { device.child("serviceList")?.children ?? [] }

    private static func service(_ name: String, of device: Markup, base: URL) -> Service? {
        for service in services(of: device) {
            guard let type = service["serviceType"], isType(type, name), let path = service["controlURL"],
                !path.isEmpty, let url = URL(string: path, relativeTo: base)?.absoluteURL
            else { continue }
            return Service(type: type, control: url)
        }
        return nil
    }

    /// Returns whether a type is a service of this name, with any version.
    ///
    /// The format is `urn:schemas-upnp-org:service:NAME:VERSION`.
    private static func isType(_ type: String?, _ name: String) -> Bool {
        let parts = (type ?? "").split(separator: ":")
        return parts.count == 5 && parts[2] == "service" && parts[3] == name
    }
}

extension DeviceDescription {
    static func fetch(
        _ location: String, over exchange: DeviceExchange
    ) async throws(PlaybackError) -> DeviceDescription {
        guard let url = URL(string: location), url.host() != nil else {
            throw PlaybackError(
                .malformed,
                "expected the URL of a device description, found "
                    + RedactedURL.text(location).debugDescription)
        }
        return try DeviceDescription(try await exchange.get(url), from: url)
    }
}
