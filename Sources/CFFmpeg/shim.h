#ifndef CFFMPEG_SHIM_H
#define CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/timecode.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Swift imports no macro that is a cast or looks like a function. Those that are needed have a constant here.
static const int CFFmpeg_errorAgain = AVERROR(EAGAIN);
static const int CFFmpeg_errorEnd = AVERROR_EOF;
static const int CFFmpeg_errorInvalidData = AVERROR_INVALIDDATA;
static const int CFFmpeg_errorExit = AVERROR_EXIT;
static const int64_t CFFmpeg_noTimestamp = AV_NOPTS_VALUE;
static const int64_t CFFmpeg_timeBase = AV_TIME_BASE;

/// The errno inside a libav return code, or 0 where the code is one of libav's own.
static inline int CFFmpeg_errno(int code) {
  int number = AVUNERROR(code);
  return number > 0 && number < 4096 ? number : 0;
}

/// A libav return code for an errno.
static inline int CFFmpeg_error(int number) { return AVERROR(number); }

#endif
