public import Logging
public import WharfCache

extension CacheEvent {
    /// Writes the event as one line of a log.
    ///
    /// ```swift
    /// configuration.onCacheEvent = { [logger] event in event.log(to: logger) }
    /// ```
    ///
    /// | level | events |
    /// |---|---|
    /// | trace | hits |
    /// | debug | all others |
    /// | warning | failures of the origin, also if a stored response took the place of the answer |
    ///
    /// The message is `cache` and the name of the kind, such as `cache miss`. The metadata are
    /// `method`, `target`, and if the event has them `reason`, `forward`, `status`,
    /// `forwardStatus`, `age` in seconds, `bytes` and `error`.
    public func log(to logger: Logger) {
        logger.log(level: level, "cache \(kind.name)", metadata: metadata)
    }

    private var level: Logger.Level { isFailureOfOrigin ? .warning : kind == .hit ? .trace : .debug }

    private var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["method": "\(method)", "target": "\(target)"]
        metadata["reason"] = reason.map { "\($0)" }
        metadata["forward"] = forward.map { "\($0.rawValue)" }
        metadata["status"] = status.map { "\($0)" }
        metadata["forwardStatus"] = forwardStatus.map { "\($0)" }
        metadata["age"] = age.map { "\($0.components.seconds)" }
        metadata["bytes"] = byteCount.map { "\($0)" }
        metadata["error"] = failure.map { "\($0)" }
        return metadata
    }
}
