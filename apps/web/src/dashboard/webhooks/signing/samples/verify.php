<?php

const TOLERANCE_SECONDS = 300;

/** $header: $_SERVER['HTTP_SERVICE_SIGNATURE']; $body: the raw bytes, file_get_contents('php://input'). */
function is_genuine(string $header, string $body, string $secret): bool
{
    $parts = explode(',', $header);
    $timestamps = preg_grep('/^t=\d+$/D', $parts);
    $timestamp = $timestamps ? substr(reset($timestamps), 2) : null;
    if ($timestamp === null || time() - (int) $timestamp > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1=' . hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    foreach ($parts as $part) {
        if (hash_equals($expected, $part)) {
            return true;
        }
    }
    return false;
}
