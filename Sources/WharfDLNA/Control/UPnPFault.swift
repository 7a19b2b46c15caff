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
        case 402, 600, 601: "it can't use an argument"
        case 501: "it could not do it; it may be busy, or have no item"
        case 606: "it wants to be asked by somebody it knows; allow this app on the device"
        case 701: "its state does not allow that now; wait for another state"
        case 702: "there is nothing in the item to play"
        case 703: "it could not read the item; see whether the device itself reaches the address"
        case 704: "it does not play that format; give it another"
        case 705: "its transport is locked; unlock it there"
        case 710, 711: "it can't go to that position"
        case 714: "it does not play that media type; give the one that it has, or another form of the item"
        case 715: "somebody else uses the item"
        case 716: "it found nothing at the item's address; see whether the device itself reaches it"
        case 717: "it does not play at that speed"
        case 718: "it has no such instance; connect again"
        default: "it gives no reason that the standard knows"
        }
    }
}
