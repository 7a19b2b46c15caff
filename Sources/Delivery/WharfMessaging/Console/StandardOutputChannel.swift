internal import Synchronization
public import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A channel that writes messages to standard output or another file descriptor.
///
/// Use it in command line tools and for experiments. It writes a line with the address, a line with
/// the title if there is one, then the body. Lines of the body are indented by a tab, so that no
/// body looks like another message. Control characters are escaped by their numbers, since a
/// terminal would execute them. Messages to one descriptor do not interleave.
public struct StandardOutputChannel: MessageChannel {
    public let name: String
    public let limits: ChannelLimits
    private let descriptor: Int32
    private let lock: DescriptorLock
    private let write: Write

    /// The system's `write`, which tests replace.
    ///
    /// It returns the number of written bytes, or a negative number, and then `errno` has the
    /// reason. The buffer is valid only during the call.
    typealias Write = @Sendable (Int32, UnsafeRawBufferPointer) -> Int

    /// A mutex that is held for a whole message, as one `write` may take only a part of it.
    private final class DescriptorLock: Sendable {
        let mutex = Mutex(())
    }

    /// The mutexes by descriptors. Channels that write to one descriptor share its mutex.
    private static let locks = Mutex<[Int32: DescriptorLock]>([:])

    /// Creates a channel.
    ///
    /// - Parameter descriptor: a file descriptor that stays open while the channel is used.
    public init(_ name: String = "stdout", limits: ChannelLimits = ChannelLimits(), descriptor: Int32 = 1) {
        self.init(name, limits: limits, descriptor: descriptor) { descriptor, bytes in
            #if canImport(Darwin)
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
            #elseif canImport(Musl)
            Musl.write(descriptor, bytes.baseAddress, bytes.count)
            #else
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            #endif
        }
    }

    init(
        _ name: String = "stdout", limits: ChannelLimits = ChannelLimits(), descriptor: Int32, write: @escaping Write
    ) {
        self.name = name
        self.limits = limits
        self.descriptor = descriptor
        self.write = write
        lock = Self.locks.withLock { locks in
            // Looked up and stored under one lock. Otherwise two channels could each create a mutex
            // for the descriptor, and their messages would interleave.
            let lock = locks[descriptor] ?? DescriptorLock()
            locks[descriptor] = lock
            return lock
        }
    }

    public func deliver(_ part: MessagePart) async -> Delivery.Verdict {
        let recipient = part.name.isEmpty ? part.address : "\(part.name) <\(part.address)>"
        var text = "To: \(Self.shown(recipient, isLine: true))\n"
        if !part.title.isEmpty { text += "\(Self.shown(part.title, isLine: true))\n" }
        for line in Self.shown(part.body, isLine: false).split(separator: "\n", omittingEmptySubsequences: false) {
            text += "\t\(line)\n"
        }
        let bytes = Array(text.utf8)
        return lock.mutex.withLock { _ in writeAll(bytes) }
    }

    private static func shown(_ text: String, isLine: Bool) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // A line break in an address or a title would begin a line that looks like another
            // field or message.
            let isText = scalar == "\n" || scalar == "\t" ? !isLine : scalar.properties.generalCategory != .control
            if isText {
                shown.append(scalar)
            } else {
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
            }
        }
        return String(shown)
    }

    private func writeAll(_ bytes: [UInt8]) -> Delivery.Verdict {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0) }
            // `write` may take a part of the bytes, as when a pipe is nearly full.
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                let message = "descriptor \(descriptor) can't be written: error \(errno); the message is written again"
                return .retry(DeliveryFailure(.unavailable, message: message))
            }
        }
        return .delivered
    }
}
