internal import WharfPlayback

/// Why a device refused an action, as it said it. It is the `cause` of the `PlaybackError`.
public struct UPnPFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// 401 to 606 mean the same for all services (UPnP Device Architecture 2.0, section 3.2.5), 701
    /// to 718 are those of AVTransport:1 (section 2.4), and from 800 on each maker has its own.
    public let code: Int
    /// What the device adds. Often no more than the code's name.
    public let reason: String

    public init(code: Int, reason: String) {
        self.code = code
        self.reason = reason
    }

    public var description: String { "UPnP error \(code)" + (reason.isEmpty ? "" : ": \(reason)") }

    /// The transport is in a state that does not allow this now (701).
    var isAboutTheMoment: Bool { code == 701 }

    /// 702 to 704 and 714 to 716 are about the item.
    var playbackCode: PlaybackError.Code {
        switch code {
        case 702, 703, 704, 714, 715, 716: .unplayable
        default: .refused
        }
    }

    /// What the codes mean, and what to do.
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
