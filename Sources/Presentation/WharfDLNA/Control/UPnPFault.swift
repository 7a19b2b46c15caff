internal import WharfPlayback

/// The fault by which a device refuses an action. It is the `cause` of the `PlaybackError`.
public struct UPnPFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error code.
    ///
    /// 401 to 606 are common to all services (UPnP Device Architecture 2.0, section 3.2.5). 701 to
    /// 718 belong to AVTransport:1 (section 2.4). Codes from 800 on are vendor-defined.
    public let code: Int
    /// The device's description, which often only names the code.
    public let reason: String

    /// Creates a fault.
    public init(code: Int, reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "UPnP error \(code)" + (reason.isEmpty ? "" : ": \(reason)") }

    /// Whether the state of the transport forbids the action at present (701).
    var isAboutTheMoment: Bool { code == 701 }

    /// The code of the error. 702 to 704 and 714 to 716 concern the item.
    var playbackCode: PlaybackError.Code {
        switch code {
        case 702, 703, 704, 714, 715, 716: .unplayable
        default: .refused
        }
    }

    /// The meaning of the code, and the remedy.
    var meaning: String {
        switch code {
        case 401: "the device has no such action"
        case 402, 600, 601: "an argument is invalid for the device"
        case 501: "the action failed; the device may be busy, or have no item"
        case 606: "the device requires authorization; allow this app on the device"
        case 701: "the state of the device does not allow the action now; wait for another state"
        case 702: "the item has no content to play"
        case 703: "the device could not read the item; check that the device itself reaches the address"
        case 704: "the device does not play the format of the item; use another format"
        case 705: "the transport is locked; unlock it on the device"
        case 710, 711: "the device can't seek to this position"
        case 714: "the device does not play the media type; correct the type, or use another form of the item"
        case 715: "another client uses the item; try again later"
        case 716: "the device found nothing at the item's address; check that the device itself reaches it"
        case 717: "the device does not play at this speed"
        case 718: "the device has no such instance; connect again"
        default: "the device gives no reason that the standard defines"
        }
    }
}
