#if os(Linux)
internal import CCurl

/// An easy handle with what it points to. It is used and let go on the event thread alone.
final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var fields: UnsafeMutablePointer<curl_slist>?

    init() throws(CurlFailure) {
        guard let raw = curl_easy_init() else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
        self.raw = raw
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        wharf_curl_set_pointer(raw, CURLOPT_ERRORBUFFER, errorText)
        // Signals belong to the process, and libcurl would use one for the timeouts of names.
        wharf_curl_set_long(raw, CURLOPT_NOSIGNAL, 1)
        wharf_curl_set_quick_exit(raw)
    }

    /// The handle is in no multi handle any more.
    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(fields)
        errorText.deallocate()
    }

    /// What libcurl says of the last failure.
    var text: String { String(cString: errorText) }

    func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
        try check(wharf_curl_set_long(raw, option, value))
    }

    func set(_ option: CURLoption, offset: Int64) throws(CurlFailure) {
        try check(wharf_curl_set_offset(raw, option, curl_off_t(offset)))
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ text: String) throws(CurlFailure) {
        try check(wharf_curl_set_string(raw, option, text))
    }

    func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer?) throws(CurlFailure) {
        try check(wharf_curl_set_pointer(raw, option, pointer))
    }

    func set(_ option: CURLoption, _ callback: @escaping curl_write_callback) throws(CurlFailure) {
        try check(wharf_curl_set_transfer(raw, option, callback))
    }

    /// libcurl uses the list until the handle is let go.
    func setFields(_ lines: [String]) throws(CurlFailure) {
        for line in lines {
            guard let longer = curl_slist_append(fields, line) else { throw CurlFailure(code: CURLE_OUT_OF_MEMORY) }
            fields = longer
        }
        try set(CURLOPT_HTTPHEADER, fields)
    }

    func check(_ result: CURLcode) throws(CurlFailure) {
        guard result == CURLE_OK else { throw CurlFailure(code: result, text: text) }
    }
}
#endif
