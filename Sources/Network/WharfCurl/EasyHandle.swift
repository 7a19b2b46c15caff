#if os(Linux)
internal import CCurl

/// An easy handle with the memory that it points to. It is used and released only on the event
/// thread.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    // libcurl writes here during each call on `raw`, and reads `fields` until the cleanup. Both are
    // freed after it.
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?

    init() throws(CurlFailure) {
        guard let raw = curl_easy_init() else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
        self.raw = raw
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        wharf_curl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
        // Signals belong to the process, and libcurl would use one for the timeout of name
        // resolution.
        wharf_curl_set_long(raw, CURLOPT_NOSIGNAL, 1)
        // The event thread runs the cleanup. A name lookup that hangs would block all transfers.
        wharf_curl_set_quick_exit(raw)
    }

    /// The handle must have been removed from its multi handle.
    deinit {
        // The cleanup comes first: it may still use the fields and the error text.
        curl_easy_cleanup(raw)
        curl_slist_free_all(fields)
        errorText.deallocate()
    }

    /// libcurl's message for the last failure.
    var text: String { String(cString: errorText) }

    func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
        try check(wharf_curl_set_long(raw, option, value))
    }

    func set(_ option: CURLoption, offset: Int64) throws(CurlFailure) {
        try check(wharf_curl_set_offset(raw, option, curl_off_t(offset)))
    }

    /// Sets an option to a text, which libcurl copies.
    func set(_ option: CURLoption, _ text: String) throws(CurlFailure) {
        try check(wharf_curl_set_string(raw, option, text))
    }

    func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer?) throws(CurlFailure) {
        try check(wharf_curl_set_pointer(raw, option, pointer))
    }

    func set(_ option: CURLoption, _ callback: @escaping curl_write_callback) throws(CurlFailure) {
        try check(wharf_curl_set_transfer(raw, option, callback))
    }

    /// Sets the header lines, which libcurl uses until the handle is released.
    func setFields(_ lines: [String]) throws(CurlFailure) {
        for line in lines {
            // On failure libcurl returns nil and leaves the list as it was, so `fields` keeps the
            // old head, which `deinit` frees.
            guard let longer = curl_slist_append(fields, line) else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
            fields = longer
        }
        // libcurl keeps the pointer and copies nothing.
        try set(CURLOPT_HTTPHEADER, fields)
    }

    func check(_ result: CURLcode) throws(CurlFailure) {
        guard result == CURLE_OK else { throw CurlFailure(code: result, text: text) }
    }
}
#endif
